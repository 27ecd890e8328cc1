import { type AttachmentType, ticketRules } from '#contract/tickets/ticket-rules.ts';

export type ReadAttachment = {
  readonly name: string;
  readonly type: AttachmentType;
  readonly content: Uint8Array;
};

/** The length of the file within the bytes; undefined if they are no valid file of this type. */
const sizeOf: Record<AttachmentType, (bytes: Uint8Array) => number | undefined> = {
  'image/png': (bytes) => (isWholePng(bytes) ? bytes.length : undefined),
  'image/jpeg': sizeOfJpeg,
  'application/pdf': (bytes) => (isWholePdf(bytes) ? bytes.length : undefined),
};

/**
 * Validates a file sent with a message (docs/product.md, section 9). Undefined if it is not canonical base64, is over 5
 * MB, is not of its declared type, is truncated, or contains something else too (markup in an image's metadata,
 * trailing bytes, an archive). The gain map or short video that phones append to a photo is cut off.
 *
 * Accepted files are still served only as downloads; this keeps out what does not belong in a ticket.
 *
 * `readAttachment({ name: 'C:\\shots\\Überweisung.PNG.exe', type: 'image/png', content })` with a valid PNG in
 * `content` has the name `Uberweisung-PNG.png`.
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

/** Undefined unless re-encoding the bytes gives exactly this text. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length === 0 || text.length % 4 !== 0) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** PDF readers search this far for the header and the end marker. */
const HEAD_BYTES = 1024;
const TAIL_BYTES = 1024;

/**
 * Whether the bytes are exactly one PDF: the header at the very start (readers also accept it further in, behind
 * another file), no markup in the head, and only line ends after the last end marker.
 */
function isWholePdf(bytes: Uint8Array): boolean {
  const head = latin1(bytes, 0, HEAD_BYTES);
  if (!/^%PDF-[12]\.\d[\r\n\t %]/.test(head) || hasMarkup(head)) return false;
  const tail = latin1(bytes, Math.max(0, bytes.length - TAIL_BYTES), bytes.length);
  return /startxref\s+\d+\s+%%EOF[\s\0]*$/.test(tail);
}

const RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;

/**
 * Whether an archive reader would open this as a ZIP. Such readers search backwards for the end-of-central-directory
 * record, whose comment reaches to the last byte, so a ZIP can hide at the end of any other file.
 */
function endsAsArchive(bytes: Uint8Array): boolean {
  const first = Math.max(0, bytes.length - RECORD_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.length - RECORD_BYTES; at >= first; at -= 1) {
    const isRecord = bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06;
    const commentBytes = (bytes[at + 20] ?? 0) + (bytes[at + 21] ?? 0) * 256;
    if (isRecord && at + RECORD_BYTES + commentBytes === bytes.length) return true;
  }
  return false;
}

const ending: Record<AttachmentType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' };
const MAX_STEM = 80;

/**
 * A file name that is safe in a header, on a page and on any disk: letters, digits, spaces, hyphens, and the extension
 * of the actual type. Folders, the original extension and accents are removed.
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
    .slice(0, MAX_STEM)
    .replace(/^[ -]+|[ -]+$/g, '');
  return `${stem === '' ? 'file' : stem}.${ending[type]}`;
}

/** Four bytes, big-endian. `uint32([0, 0, 1, 2], 0) === 258` */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);

/** Two bytes, big-endian. */
const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);

/** One character per byte. */
export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

export const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

const MARKUP = /<(?:!doctype|html|head|body|script|iframe|object|embed|svg[\s>]|\?php)/i;

/**
 * Whether a text contains what a browser or a server-side template engine would interpret. Image metadata may be XML
 * (`<x:xmpmeta`), which does not count.
 */
const hasMarkup = (text: string): boolean => MARKUP.test(text);

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Length and type before a chunk's data, and the checksum after it. */
const FRAME_BYTES = 12;
const MAX_PIXELS_PER_SIDE = 0x7fffffff;
/** Encoders split 5 MB of image data into some hundreds of chunks; a file of only empty chunks would waste time. */
const MAX_CHUNKS = 10_000;

/**
 * Whether the bytes are exactly one PNG: signature, IHDR, contiguous chunks with image data among them, IEND, nothing
 * after it. No chunk except image data may contain markup.
 */
function isWholePng(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, SIGNATURE)) return false;
  let hasPicture = false;
  let at = SIGNATURE.length;
  for (let chunk = 0; chunk < MAX_CHUNKS && at + FRAME_BYTES <= bytes.length; chunk += 1) {
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
  const isSide = (pixels: number) => pixels >= 1 && pixels <= MAX_PIXELS_PER_SIDE;
  return length === 13 && isSide(uint32(bytes, data)) && isSide(uint32(bytes, data + 4));
}

const START = [0xff, 0xd8, 0xff];
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;
/** Images have some dozens; a file of only empty segments would waste time. */
const MAX_SEGMENTS = 10_000;
/** Markers without a segment: TEM and the restart markers. */
const stands = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
/** SOF0 to SOF15, except C4, C8 and CC, which are tables or reserved. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isNote = (marker: number) => marker === COMMENT || (marker >= 0xe0 && marker <= 0xef);

/**
 * The length of the JPEG at the start of the bytes: start of image, contiguous segments with a frame and a scan among
 * them, end of image. No comment or APP segment may contain markup. Undefined if there is none.
 */
function sizeOfJpeg(bytes: Uint8Array): number | undefined {
  if (!startsWith(bytes, START)) return undefined;
  let hasFrame = false;
  let hasScan = false;
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && at < bytes.length; segment += 1) {
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

/** Within a scan, FF followed by 00 is data and restart markers belong to it; any other marker ends it. */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] as number;
    if (next !== 0x00 && next !== 0xff && !stands(next)) return at;
  }
  return bytes.length;
}
