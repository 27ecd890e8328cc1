import { ActionIcon, Textarea, VisuallyHidden } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { CallError } from '../../api/call.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { AttachButton, ChosenFiles } from '../../entities/ticket/attachment-picker.tsx';
import { faultOfMessage } from '../../entities/ticket/check-message.ts';
import { MessageCount } from '../../entities/ticket/message-count.tsx';
import { attachmentLimits } from '../../entities/ticket/ticket-labels.ts';
import { useAttachments } from '../../entities/ticket/use-attachments.ts';
import { useDraft } from '../../entities/ticket/use-draft.ts';
import { useFileDrop } from '../../entities/ticket/use-file-drop.ts';
import { useReply } from './queries.ts';
import classes from './reply-form.module.css';

/** From here on the remaining length is shown. */
const COUNT_FROM = ticketRules.messageMaxLength * 0.8;

/** Enter starts a new line; with Ctrl or Cmd it sends. */
export function ReplyForm({ ticket }: { ticket: Ticket }) {
  const { draft, change, clear } = useDraft(useMember()?.id ?? '', `reply/${ticket.id}`, { message: '' });
  const [fault, setFault] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments();
  const { isOver, drop } = useFileDrop((files) => void attachments.add(files));
  const reply = useReply(ticket.id);
  const hintId = useId();

  const refuse = (message: string | undefined) => {
    setFault(message);
    field.current?.focus();
  };
  const send = () => {
    if (reply.isPending || attachments.isReading) return;
    const { message: missing } = faultOfMessage(draft.message);
    if (missing !== undefined) return refuse(missing);
    setFault(undefined);
    reply.mutate(
      { message: draft.message.trim(), ...attachments.bodies() },
      {
        onSuccess: () => {
          clear();
          attachments.clear();
          field.current?.focus();
        },
        onError: (error) => {
          if (!(error instanceof CallError)) return;
          if (error.code === 'attachment_refused') attachments.setFault(error.message);
          refuse(error.fields.message);
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className={classes.form}
      aria-label={t`Reply`}
      data-foot
      onSubmit={submit}
      noValidate
      data-over={isOver || undefined}
      {...drop}
    >
      {ticket.state === 'closed' && <p className={classes.closed}>{t`This query is closed. A reply reopens it.`}</p>}
      <ChosenFiles attachments={attachments} />
      <div className={classes.row}>
        <AttachButton attachments={attachments} iconOnly describedBy={hintId} />
        <Textarea
          ref={field}
          className={classes.field ?? ''}
          aria-label={t`Write a reply`}
          aria-describedby={hintId}
          placeholder={t`Write a reply`}
          autosize
          minRows={1}
          maxRows={8}
          error={fault}
          errorProps={{ role: 'alert' }}
          readOnly={reply.isPending}
          value={draft.message}
          onChange={(event) => {
            change({ message: event.currentTarget.value });
            setFault(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <ActionIcon
          className={classes.send ?? ''}
          type="submit"
          variant="filled"
          size={44}
          aria-label={t`Send`}
          aria-busy={reply.isPending || undefined}
          // Disabling it while it works would throw away the focus.
          aria-disabled={reply.isPending || undefined}
        >
          <IconSend size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
      <p className={classes.hint} id={hintId}>
        {draft.message.length > COUNT_FROM ? (
          <MessageCount text={draft.message} />
        ) : (
          <span className={classes.wide}>{t`${attachmentLimits} Ctrl or Cmd with Enter sends.`}</span>
        )}
      </p>
      <VisuallyHidden role="status">{reply.isPending ? t`Sending` : ''}</VisuallyHidden>
    </form>
  );
}
