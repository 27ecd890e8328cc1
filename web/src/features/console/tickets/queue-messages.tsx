import { IconCheck, IconChecks, IconLock } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { DeskMessage } from '#contract/tickets/tickets.ts';
import { AttachmentLink } from '../../../entities/ticket/attachment-link.tsx';
import { splitByDay } from '../../../entities/ticket/split-by-day.ts';
import { formatTime } from '../../../ui/format/time.ts';
import { downloadAttachment } from './queries.ts';
import classes from './ticket-detail.module.css';
import { useStayAtEnd } from './use-stay-at-end.ts';

/** What both sides wrote, and the notes between operators, by day, the oldest first. */
export function DeskMessages({ messages }: { messages: readonly DeskMessage[] }) {
  const end = useStayAtEnd(messages.length);
  const lastAnswer = messages.findLast((message) => message.author === 'support' && !message.private)?.id;
  return (
    <>
      {/* Whatever is added to it is read aloud, as that happens. */}
      <div className={classes.messages} role="log" aria-label="Messages">
        {splitByDay(messages).map(({ day, messages: ofDay }) => (
          <Fragment key={day}>
            <p className={classes.rule}>{day}</p>
            {ofDay.map((message) => (
              <OneMessage key={message.id} message={message} tellsSeen={message.id === lastAnswer} />
            ))}
          </Fragment>
        ))}
      </div>
      <div className={classes.end} ref={end} />
    </>
  );
}

/** Who wrote what and when. The text is text: nothing in it becomes a link or anything else. */
function OneMessage({ message, tellsSeen }: { message: DeskMessage; tellsSeen: boolean }) {
  const { author, name, attachments, seen, created_at } = message;
  const isOwn = author === 'support';
  const SeenIcon = seen ? IconChecks : IconCheck;
  return (
    <article className={classes.message} data-own={isOwn || undefined} data-private={message.private || undefined}>
      <p className={classes.by}>
        {message.private && <IconLock size={14} stroke={1.5} aria-hidden />}
        <b>{message.private ? `${name}, private note` : name}</b>
        <time dateTime={created_at}>{formatTime(created_at)}</time>
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
      {tellsSeen && (
        <p className={classes.seen}>
          <SeenIcon size={14} stroke={1.5} aria-hidden />
          {seen ? 'Seen by the member' : 'Not seen yet'}
        </p>
      )}
    </article>
  );
}
