/** What a person types to say who they are: a Registered Id in any case, or where it is allowed an email address. */
export type LoginId = { readonly kind: 'referral_code' | 'email'; readonly value: string };

/**
 * One form for every way of writing the same login, so that limits and look-ups cannot be split by case.
 * `readLoginId('tw7m2qx4ab').value === 'TW7M2QX4AB'`, `readLoginId('Anna@Mail.example').value === 'anna@mail.example'`
 */
export function readLoginId(text: string): LoginId {
  const typed = text.trim();
  return typed.includes('@')
    ? { kind: 'email', value: typed.toLowerCase() }
    : { kind: 'referral_code', value: typed.toUpperCase() };
}
