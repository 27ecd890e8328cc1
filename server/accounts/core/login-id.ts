/** What a person signs in with: a Registered Id in any case, or where permitted an email address. */
export type LoginId = { readonly kind: 'referral_code' | 'email'; readonly value: string };

/**
 * Normalises a login, so that case cannot split limits and look-ups.
 * `readLoginId('tw7m2qx4ab').value === 'TW7M2QX4AB'`, `readLoginId('Anna@Mail.example').value === 'anna@mail.example'`
 */
export function readLoginId(text: string): LoginId {
  const typed = text.trim();
  return typed.includes('@')
    ? { kind: 'email', value: typed.toLowerCase() }
    : { kind: 'referral_code', value: typed.toUpperCase() };
}
