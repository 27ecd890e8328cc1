import { hasMarkup, latin1, startsWith, uint32 } from './bytes.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Length and name before the data of a chunk, and its check sum after it. */
const FRAME_BYTES = 12;
const MOST_PIXELS_A_SIDE = 0x7fffffff;
/** Writers cut 5 MB of picture data into some hundreds; a file of nothing but empty chunks would only cost time. */
const MOST_CHUNKS = 10_000;

/**
 * Whether the bytes are one PNG from the first to the last: signature, IHDR, chunks that follow each other without a
 * gap with picture data among them, IEND, and nothing after it. No chunk besides the picture has a page in it.
 */
export function isWholePng(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, SIGNATURE)) return false;
  let hasPicture = false;
  let at = SIGNATURE.length;
  for (let chunk = 0; chunk < MOST_CHUNKS && at + FRAME_BYTES <= bytes.length; chunk += 1) {
    const isFirst = chunk === 0;
    const length = uint32(bytes, at);
    const name = latin1(bytes, at + 4, at + 8);
    const data = at + 8;
    const next = at + FRAME_BYTES + length;
    if (next > bytes.length || !/^[A-Za-z]{4}$/.test(name)) return false;
    if (isFirst !== (name === 'IHDR')) return false;
    if (isFirst && !isHeader(bytes, data, length)) return false;
    if (name === 'IEND') return length === 0 && hasPicture && next === bytes.length;
    if (name === 'IDAT') hasPicture = true;
    else if (hasMarkup(latin1(bytes, data, data + length))) return false;
    at = next;
  }
  return false;
}

function isHeader(bytes: Uint8Array, data: number, length: number): boolean {
  const isSide = (pixels: number) => pixels >= 1 && pixels <= MOST_PIXELS_A_SIDE;
  return length === 13 && isSide(uint32(bytes, data)) && isSide(uint32(bytes, data + 4));
}
