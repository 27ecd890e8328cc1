import { ActionIcon, Button, Group, Kbd, Menu, Space, Stack, Textarea, VisuallyHidden } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { OperatorTicket } from '#contract/tickets/tickets.ts';
import { CallError } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { AttachButton, ChosenFiles } from '../../../entities/ticket/attachment-picker.tsx';
import { MessageCount } from '../../../entities/ticket/message-count.tsx';
import { type Attachments, useAttachments } from '../../../entities/ticket/use-attachments.ts';
import { useMessageForm } from '../../../entities/ticket/use-message-form.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { ConfirmDialog } from '../../../ui/forms/confirm-dialog.tsx';
import { Segments } from '../../../ui/forms/segments.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { Quiet } from '../kit/detail-panel.tsx';
import { useKeys } from '../kit/keys.ts';
import classes from './answer-form.module.css';
import { cannedRepliesQuery, useAnswer, useCloseTicket } from './queries.ts';

type Kind = 'answer' | 'note';

const words = {
  answer: { field: 'Answer', send: 'Send answer', busy: 'Sending' },
  note: { field: 'Private note', send: 'Save note', busy: 'Saving' },
} as const;

const kinds = [
  { value: 'answer', label: 'Answer' },
  { value: 'note', label: 'Private note' },
] as const;

type AnswerFormProps = {
  ticket: OperatorTicket;
  /** The last message on screen. */
  seen: string | undefined;
};

/**
 * An answer to the member, or a private note. Each has its own text and files, so that a note is never sent to the
 * member by pressing the wrong button. To a closed account there are only notes.
 */
export function AnswerForm({ ticket, seen }: AnswerFormProps) {
  const [chosen, setKind] = useState<Kind>('answer');
  const { closed } = ticket.member;
  const kind = closed ? 'note' : chosen;
  const field = useRef<HTMLTextAreaElement>(null);
  const files = { answer: useAttachments(), note: useAttachments() };
  const write = (next: Kind) => {
    // Rendered synchronously: a key pressed right after belongs in the field and is not a shortcut.
    flushSync(() => setKind(next));
    field.current?.focus();
  };
  useKeys({ r: () => write(closed ? 'note' : 'answer'), n: () => write('note') });
  return (
    <Stack gap="xs" miw={0} className={classes.answer} data-kind={kind}>
      {closed ? (
        <Quiet>The account is closed: nobody would read an answer.</Quiet>
      ) : (
        <Segments label="What to write" options={kinds} value={kind} onChange={setKind} fullWidth />
      )}
      <Writing key={kind} kind={kind} ticket={ticket} seen={seen} field={field} attachments={files[kind]} />
      <Quiet>
        {!closed && (
          <>
            <Kbd size="xs">R</Kbd> answer,{' '}
          </>
        )}
        <Kbd size="xs">N</Kbd> note, <Kbd size="xs">T</Kbd> assign to me, Ctrl or Cmd + Enter send.
      </Quiet>
    </Stack>
  );
}

type WritingProps = AnswerFormProps & {
  kind: Kind;
  field: RefObject<HTMLTextAreaElement | null>;
  attachments: Attachments;
};

function Writing({ kind, ticket, seen, field, attachments }: WritingProps) {
  const answer = useAnswer(ticket.id, kind === 'note', seen);
  const { message, isLong, write, form, input } = useMessageForm({
    owner: `operator-${useOperator().id}`,
    draftName: `${kind}/${ticket.id}`,
    field,
    attachments,
    sending: answer,
  });
  const hintId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    // Re-enables the page's shortcuts.
    if (event.key === 'Escape') return field.current?.blur();
    input.onKeyDown(event);
  };
  const insert = (text: string) => {
    write(message.trim() === '' ? text : `${message.trimEnd()}\n\n${text}`);
    field.current?.focus();
  };

  return (
    <form className={classes.form} aria-label={words[kind].field} {...form}>
      <Textarea
        {...input}
        aria-label={words[kind].field}
        aria-describedby={hintId}
        placeholder={kind === 'note' ? 'Visible to operators only' : `To ${ticket.member.name}`}
        minRows={2}
        maxRows={9}
        onKeyDown={onKeyDown}
      />
      <ChosenFiles attachments={attachments} />
      <Group gap="xs" wrap="nowrap">
        <AttachButton attachments={attachments} iconOnly describedBy={hintId} />
        {kind === 'answer' && <CannedMenu onChoose={insert} />}
        <Space flex={1} />
        {ticket.state !== 'closed' && <CloseTicket ticket={ticket} />}
        <BusyButton type="submit" busy={answer.isPending} busyLabel={words[kind].busy}>
          {words[kind].send}
        </BusyButton>
      </Group>
      <VisuallyHidden id={hintId}>
        {kind === 'note' ? 'Not visible to the member.' : 'Visible to the member.'}
      </VisuallyHidden>
      {isLong && (
        <Quiet>
          <MessageCount text={message} />
        </Quiet>
      )}
    </form>
  );
}

/** Closes the ticket after a confirmation: the member is notified. */
function CloseTicket({ ticket }: { ticket: OperatorTicket }) {
  const [isAsking, setAsking] = useState(false);
  const close = useCloseTicket(ticket);
  const confirm = () =>
    close.mutate(undefined, {
      onSuccess: () => {
        toast.success('Ticket closed', `${ticket.member.name} was notified. A reply reopens it.`);
        setAsking(false);
      },
      // What a colleague changed is read before it is closed.
      onError: (error) => error instanceof CallError && error.status === 409 && setAsking(false),
    });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Close ticket
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Close ${ticket.reference}?`}
        keep="Keep it open"
        confirm="Close ticket"
        busy={close.isPending}
        busyLabel="Closing"
        refused={close.error}
        onConfirm={confirm}
      >
        <p>
          <b>{ticket.subject}</b> is marked as resolved. {ticket.member.name} is notified and can reopen it with a
          reply.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Inserts a canned reply into the field, where it can still be edited. */
function CannedMenu({ onChoose }: { onChoose: (text: string) => void }) {
  const { data } = useQuery(cannedRepliesQuery);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Menu position="top-start" width="max-content" returnFocus={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon size={36} aria-label="Insert a canned reply">
          <IconMessages size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {data.items.map(({ id, title, text }) => (
          <Menu.Item key={id} onClick={() => onChoose(text)}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
