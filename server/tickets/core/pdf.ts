import { hasMarkup, latin1 } from './bytes.ts';

/** How far from the start readers look for what a file is. */
const HEAD_BYTES = 1024;
const TAIL_BYTES = 1024;

/**
 * Whether the bytes are one PDF from the first to the last: its header at the very start (readers that find it further in
 * would let another file stand before it), no page in the head, and nothing but line ends after its last end mark.
 */
export function isWholePdf(bytes: Uint8Array): boolean {
  const head = latin1(bytes, 0, HEAD_BYTES);
  if (!/^%PDF-[12]\.\d[\r\n\t %]/.test(head) || hasMarkup(head)) return false;
  const tail = latin1(bytes, Math.max(0, bytes.length - TAIL_BYTES), bytes.length);
  return /startxref\s+\d+\s+%%EOF[\s\0]*$/.test(tail);
}
