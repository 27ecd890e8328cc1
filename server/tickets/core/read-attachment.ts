import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { isWholeJpeg } from './jpeg.ts';
import { isWholePdf } from './pdf.ts';
import { plainName } from './plain-name.ts';
import { isWholePng } from './png.ts';
import { endsAsArchive } from './zip-end.ts';

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
