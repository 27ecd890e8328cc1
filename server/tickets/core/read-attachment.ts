import { type AttachmentType, ticketRules } from '#contract/tickets/ticket-rules.ts';
import { hasMarkup, latin1 } from './bytes.ts';
import { isWholeJpeg } from './jpeg.ts';
import { isWholePng } from './png.ts';

export type ReadAttachment = {
  readonly name: string;
  readonly type: AttachmentType;
  readonly content: Uint8Array;
};

const isWhole: Record<AttachmentType, (bytes: Uint8Array) => boolean> = {
  'image/png': isWholePng,
  'image/jpeg': isWholeJpeg,
  'application/pdf': isWholePdf,
};

/**
 * A file that a person sends with a message (docs/product.md, section 9), or undefined when it cannot be attached: it
 * is not base64 in its one canonical form, over 5 MB, not what its sender says it is, not whole, or something else
 * besides (a page in a picture's notes, bytes after its end, an archive).
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
  const content = decodeBase64(file.content);
  if (content === undefined || content.length > ticketRules.attachmentMaxBytes) return undefined;
  if (!isWhole[file.type](content) || endsAsArchive(content)) return undefined;
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
