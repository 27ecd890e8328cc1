/** 256 random bits in base64url. `crypto.randomUUID` does not exist where a page is opened over plain HTTP. */
export function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
