/**
 * A member's own mail address as it is told back to them: enough to know which one it is, and nothing for who looks over
 * their shoulder to write to. How long the name is does not show. `maskEmail('anna@mail.example') === 'a•••@mail.example'`,
 * `maskEmail('a@mail.example') === '•••@mail.example'`
 */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  const letters = Array.from(address.slice(0, Math.max(at, 0)));
  return `${letters.length > 1 ? letters[0] : ''}•••${at < 0 ? '' : address.slice(at)}`;
}
