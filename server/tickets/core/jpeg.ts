import { hasMarkup, latin1, startsWith, uint16 } from './bytes.ts';

const START = [0xff, 0xd8, 0xff];
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
/** Pictures have some dozens; a file of nothing but empty segments would only cost time. */
const MOST_SEGMENTS = 10_000;
/** Markers without a segment: TEM and the restarts. */
const stands = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** SOF0 to SOF15; C4, C8 and CC among them are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isNote = (marker: number) => marker === COMMENT || (marker >= 0xe0 && marker <= 0xef);

/**
 * Whether the bytes are one JPEG from the first to the last: start of image, segments that follow each other with a
 * frame and a scan among them, end of image, and nothing after it. No note of it has a page in it.
 */
export function isWholeJpeg(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, START)) return false;
  let hasFrame = false;
  let hasScan = false;
  let at = 2;
  for (let segment = 0; segment < MOST_SEGMENTS && at < bytes.length; segment += 1) {
    if (bytes[at] !== 0xff) return false;
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1] ?? 0;
    at += 2;
    if (marker === END_OF_IMAGE) return hasFrame && hasScan && at === bytes.length;
    if (stands(marker)) continue;
    const length = uint16(bytes, at);
    if (marker < 0xc0 || marker === 0xd8 || length < 2 || at + length > bytes.length) return false;
    if (isNote(marker) && hasMarkup(latin1(bytes, at + 2, at + length))) return false;
    hasFrame ||= isFrame(marker);
    at += length;
    if (marker === START_OF_SCAN) {
      if (!hasFrame) return false;
      hasScan = true;
      at = endOfScan(bytes, at);
    }
  }
  return false;
}

/** In a scan FF is data when 00 follows, and a restart is part of it: the first other marker ends it. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] as number;
    if (next !== 0x00 && next !== 0xff && !stands(next)) return at;
  }
  return bytes.length;
}
