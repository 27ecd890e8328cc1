import type { NewAttachment } from '#contract/tickets/tickets.ts';
import { Refused } from '#server/refused.ts';
import { type ReadAttachment, readAttachment } from './core/read-attachment.ts';

/** The files of a message as they are kept, or `attachment_refused` with the field of the first that cannot be. */
export function readAttachments(files: readonly NewAttachment[] = []): ReadAttachment[] {
  return files.map((file, index) => {
    const read = readAttachment(file);
    if (read === undefined) throw new Refused('attachment_refused', { field: `attachments.${index}` });
    return read;
  });
}
