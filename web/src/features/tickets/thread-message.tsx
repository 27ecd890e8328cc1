import { IconCheck, IconChecks } from '@tabler/icons-react';
import type { TicketMessage } from '#contract/tickets/tickets.ts';
import { AttachmentLink } from '../../entities/ticket/attachment-link.tsx';
import { formatTime } from '../../ui/format/time.ts';
import { downloadAttachment } from './queries.ts';
import classes from './thread.module.css';

type ThreadMessageProps = {
  message: TicketMessage;
  /** The last own message says whether support has seen it. */
  tellsSeen: boolean;
};

/** Who wrote what and when. The text is text: nothing in it becomes a link or anything else. */
export function ThreadMessage({ message, tellsSeen }: ThreadMessageProps) {
  const { author, name, attachments, seen, created_at } = message;
  const isOwn = author === 'member';
  const by = <b>{isOwn ? 'You' : name === '' ? 'Support' : `${name}, support`}</b>;
  const at = <time dateTime={created_at}>{formatTime(created_at)}</time>;
  const SeenIcon = seen ? IconChecks : IconCheck;
  return (
    <article className={classes.message} data-own={isOwn || undefined}>
      <p className={classes.by}>
        {isOwn ? at : by}
        {isOwn ? by : at}
      </p>
      <div className={classes.bubble}>
        <p className={classes.text}>{message.message}</p>
        {attachments.length > 0 && (
          <ul className={classes.attachments} aria-label="Attachments">
            {attachments.map((attachment) => (
              <li key={attachment.id}>
                <AttachmentLink attachment={attachment} download={downloadAttachment} />
              </li>
            ))}
          </ul>
        )}
      </div>
      {isOwn && tellsSeen && (
        <p className={classes.seen}>
          <SeenIcon size={14} stroke={1.5} aria-hidden />
          {seen ? 'Seen' : 'Sent'}
        </p>
      )}
    </article>
  );
}
