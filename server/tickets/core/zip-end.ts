const RECORD_BYTES = 22;
const LONGEST_COMMENT_BYTES = 65_535;

/**
 * Whether something that reads archives would read this as one: it looks from the end for the record that closes an
 * archive, whose comment reaches to the last byte. So a ZIP can stand inside of a file of any other kind.
 */
export function endsAsArchive(bytes: Uint8Array): boolean {
  const first = Math.max(0, bytes.length - RECORD_BYTES - LONGEST_COMMENT_BYTES);
  for (let at = bytes.length - RECORD_BYTES; at >= first; at -= 1) {
    const isRecord = bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06;
    const commentBytes = (bytes[at + 20] ?? 0) + (bytes[at + 21] ?? 0) * 256;
    if (isRecord && at + RECORD_BYTES + commentBytes === bytes.length) return true;
  }
  return false;
}
