/** 256 random bits, in base64url: what binds the code of a reset to the page that asks for it (docs/product.md, section 8). */
export function makeRequestToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
