import { ActionIcon, Textarea, VisuallyHidden } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { AttachButton, ChosenFiles } from '../../entities/ticket/attachment-picker.tsx';
import { MessageCount } from '../../entities/ticket/message-count.tsx';
import { attachmentLimits } from '../../entities/ticket/ticket-labels.ts';
import { useAttachments } from '../../entities/ticket/use-attachments.ts';
import { useMessageForm } from '../../entities/ticket/use-message-form.ts';
import { useReply } from './queries.ts';
import classes from './reply-form.module.css';

/** Enter starts a new line; Ctrl or Cmd with Enter sends. */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments();
  const reply = useReply(ticket.id);
  const { message, isLong, form, input } = useMessageForm({
    owner: useMember()?.id ?? '',
    draftName: `reply/${ticket.id}`,
    field,
    attachments,
    sending: reply,
  });
  const hintId = useId();

  return (
    <form className={classes.form} aria-label={t`Reply`} data-foot {...form}>
      {ticket.state === 'closed' && <p className={classes.closed}>{t`This query is closed. A reply reopens it.`}</p>}
      <ChosenFiles attachments={attachments} />
      <div className={classes.row}>
        <AttachButton attachments={attachments} iconOnly describedBy={hintId} />
        <Textarea
          {...input}
          className={classes.field ?? ''}
          aria-label={t`Write a reply`}
          aria-describedby={hintId}
          placeholder={t`Write a reply`}
          minRows={1}
          maxRows={8}
        />
        <ActionIcon
          className={classes.send ?? ''}
          type="submit"
          variant="filled"
          size={44}
          aria-label={t`Send`}
          aria-busy={reply.isPending || undefined}
          // Disabling it while busy would lose the focus.
          aria-disabled={reply.isPending || undefined}
        >
          <IconSend size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      <p className={classes.hint} id={hintId}>
        {isLong ? (
          <MessageCount text={message} />
        ) : (
          <span className={classes.wide}>{t`${attachmentLimits} Ctrl or Cmd with Enter sends.`}</span>
        )}
      </p>
      <VisuallyHidden role="status">{reply.isPending ? t`Sending` : ''}</VisuallyHidden>
    </form>
  );
}
