/**
 * The header that makes a reply a file under this name (RFC 6266, RFC 5987). What is no plain ASCII stands in a second
 * parameter, so that no name can end the header or begin another one.
 * `asAttachment('übersicht.png')` is `attachment; filename="_bersicht.png"; filename*=UTF-8''%C3%BCbersicht.png`
 */
export function asAttachment(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._()-]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
