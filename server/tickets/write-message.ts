import type { NewAttachment } from '#contract/tickets/tickets.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { type AttachmentRow, insertAttachment } from './attachment-sql.ts';
import { type ReadAttachment, readAttachment } from './core/read-attachment.ts';
import { insertMessage, type MessageRow, type NewMessage } from './message-sql.ts';

type WrittenMessage = { readonly message: MessageRow; readonly attachments: readonly AttachmentRow[] };

/** One message and its files, in a ticket that the caller has locked: so ids grow in the order of the thread. */
export async function writeMessage(
  tx: Tx,
  draft: NewMessage,
  files: readonly ReadAttachment[],
): Promise<WrittenMessage> {
  const message = await insertMessage(tx, draft);
  const attachments: AttachmentRow[] = [];
  for (const file of files) attachments.push(await insertAttachment(tx, message.id, file));
  return { message, attachments };
}

/** The files of a message as they are kept, or `attachment_refused` with the field of the first that cannot be. */
export function readAttachments(files: readonly NewAttachment[] = []): ReadAttachment[] {
  return files.map((file, index) => {
    const read = readAttachment(file);
    if (read === undefined) throw new Refused('attachment_refused', { field: `attachments.${index}` });
    return read;
  });
}
