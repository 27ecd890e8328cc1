import { type AttachmentType, ticketRules } from '#contract/tickets/ticket-rules.ts';

export type ReadAttachment = {
  readonly name: string;
  readonly type: AttachmentType;
  readonly content: Uint8Array;
};

/** How many of the bytes are the file; undefined when they are none. */
const sizeOf: Record<AttachmentType, (bytes: Uint8Array) => number | undefined> = {
  'image/png': (bytes) => (isWholePng(bytes) ? bytes.length : undefined),
  'image/jpeg': sizeOfJpeg,
  'application/pdf': (bytes) => (isWholePdf(bytes) ? bytes.length : undefined),
};

/**
 * A file that a person sends with a message (docs/product.md, section 9), or undefined when it cannot be attached: it
 * is not base64 in its one canonical form, over 5 MB, not what its sender says it is, not whole, or something else
 * besides (a page in a picture's notes, bytes after its end, an archive). What phones put behind a photo, as a second one for
 * bright screens or a short film, is left out.
 *
 * What is let through is still only ever handed out as a download; this keeps out what has no business in a ticket.
 *
 * `readAttachment({ name: 'C:\\shots\\Überweisung.PNG.exe', type: 'image/png', content })` with a whole PNG in `content`
 * has the name `Uberweisung-PNG.png`.
 */
export function readAttachment(file: {
  readonly name: string;
  readonly type: AttachmentType;
  readonly content: string;
}): ReadAttachment | undefined {
  const sent = decodeBase64(file.content);
  if (sent === undefined || sent.length > ticketRules.attachmentMaxBytes) return undefined;
  const size = sizeOf[file.type](sent);
  const content = sent.subarray(0, size);
  if (size === undefined || endsAsArchive(content)) return undefined;
  return { name: plainName(file.name, file.type), type: file.type, content };
}

/** Undefined unless it is what encoding the bytes gives: whole groups, right padding, no bits left over, nothing else. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length === 0 || text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** How far from the start readers look for what a file is. */
const HEAD_BYTES = 1024;
const TAIL_BYTES = 1024;

/**
 * Whether the bytes are one PDF from the first to the last: its header at the very start (readers that find it further in
 * would let another file stand before it), no page in the head, and nothing but line ends after its last end mark.
 */
function isWholePdf(bytes: Uint8Array): boolean {
  const head = latin1(bytes, 0, HEAD_BYTES);
  if (!/^%PDF-[12]\.\d[\r\n\t %]/.test(head) || hasMarkup(head)) return false;
  const tail = latin1(bytes, Math.max(0, bytes.length - TAIL_BYTES), bytes.length);
  return /startxref\s+\d+\s+%%EOF[\s\0]*$/.test(tail);
}

const RECORD_BYTES = 22;
const LONGEST_COMMENT_BYTES = 65_535;

/**
 * Whether something that reads archives would read this as one: it looks from the end for the record that closes an
 * archive, whose comment reaches to the last byte. So a ZIP can stand inside of a file of any other kind.
 */
function endsAsArchive(bytes: Uint8Array): boolean {
  const first = Math.max(0, bytes.length - RECORD_BYTES - LONGEST_COMMENT_BYTES);
  for (let at = bytes.length - RECORD_BYTES; at >= first; at -= 1) {
    const isRecord = bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06;
    const commentBytes = (bytes[at + 20] ?? 0) + (bytes[at + 21] ?? 0) * 256;
    if (isRecord && at + RECORD_BYTES + commentBytes === bytes.length) return true;
  }
  return false;
}

const ending: Record<AttachmentType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' };
const LONGEST_STEM = 80;

/**
 * A name that is harmless in a header, on a page and on any disk: letters, digits, spaces and hyphens, and the one ending
 * that fits what the file is. Folders and endings that it came with are gone; accents are, too.
 * `plainName('../Rechnung über 5$.pdf.exe', 'application/pdf') === 'Rechnung uber 5-pdf.pdf'`
 */
export function plainName(name: string, type: AttachmentType): string {
  const file = name.split(/[/\\]/).at(-1) ?? '';
  const stem = file
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9 -]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, LONGEST_STEM)
    .replace(/^[ -]+|[ -]+$/g, '');
  return `${stem === '' ? 'file' : stem}.${ending[type]}`;
}

/** Four bytes, the highest first. `uint32([0, 0, 1, 2], 0) === 258` */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);

/** Two bytes, the highest first. */
const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);

/** One letter a byte. */
export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

export const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

const MARKUP = /<(?:!doctype|html|head|body|script|iframe|object|embed|svg[\s>]|\?php)/i;

/**
 * Whether a text has what a browser, or a server with a language in its pages, would take for one. The notes of pictures
 * are XML, too (`<x:xmpmeta`), which is none of these.
 */
const hasMarkup = (text: string): boolean => MARKUP.test(text);

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
function isWholePng(bytes: Uint8Array): boolean {
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
 * How many bytes are one JPEG from the first on: start of image, segments that follow each other with a frame and a scan
 * among them, end of image. No note of it has a page in it. Undefined when there is none.
 */
function sizeOfJpeg(bytes: Uint8Array): number | undefined {
  if (!startsWith(bytes, START)) return undefined;
  let hasFrame = false;
  let hasScan = false;
  let at = 2;
  for (let segment = 0; segment < MOST_SEGMENTS && at < bytes.length; segment += 1) {
    if (bytes[at] !== 0xff) return undefined;
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1] ?? 0;
    at += 2;
    if (marker === END_OF_IMAGE) return hasFrame && hasScan ? at : undefined;
    if (stands(marker)) continue;
    const length = uint16(bytes, at);
    if (marker < 0xc0 || marker === 0xd8 || length < 2 || at + length > bytes.length) return undefined;
    if (isNote(marker) && hasMarkup(latin1(bytes, at + 2, at + length))) return undefined;
    hasFrame ||= isFrame(marker);
    at += length;
    if (marker === START_OF_SCAN) {
      if (!hasFrame) return undefined;
      hasScan = true;
      at = endOfScan(bytes, at);
    }
  }
  return undefined;
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
