import type { UseMutationResult } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import type { NewAttachment } from '#contract/tickets/tickets.ts';
import { CallError } from '../../api/call.ts';
import { useDraft } from '../../ui/use-draft.ts';
import { messageError } from './message-count.tsx';
import type { Attachments } from './use-attachments.ts';
import { useFileDrop } from './use-file-drop.ts';

/** From this length on the remaining characters are counted. */
const COUNT_FROM = ticketRules.messageMaxLength * 0.8;

type Message = { message: string; attachments?: NewAttachment[] };
type MessageFormOptions = {
  /** Owner and subject of the draft. */
  owner: string;
  draftName: string;
  field: RefObject<HTMLTextAreaElement | null>;
  attachments: Attachments;
  sending: Pick<UseMutationResult<unknown, Error, Message>, 'isPending' | 'mutateAsync'>;
};

/** A message with files, kept as a draft until it is sent. Enter starts a new line; Ctrl or Cmd with Enter sends. */
export function useMessageForm({ owner, draftName, field, attachments, sending }: MessageFormOptions) {
  const { draft, change, clear } = useDraft(owner, draftName, { message: '' });
  const [error, setError] = useState<string>();
  const { isOver, drop } = useFileDrop((files) => void attachments.add(files));

  const refuse = (message: string | undefined) => {
    setError(message);
    field.current?.focus();
  };
  const write = (message: string) => {
    change({ message });
    setError(undefined);
  };
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (sending.isPending || attachments.isReading) return;
    const { message: missing } = messageError(draft.message);
    if (missing !== undefined) return refuse(missing);
    setError(undefined);
    // The callbacks of `mutate` are not called once the page is left, and what was sent would stay a draft.
    sending.mutateAsync({ message: draft.message.trim(), ...attachments.bodies() }).then(
      () => {
        clear();
        attachments.clear();
        // Not from where whoever did not wait for the reply has gone meanwhile.
        const { activeElement } = document;
        if (activeElement === document.body || field.current?.form?.contains(activeElement)) field.current?.focus();
      },
      (error: unknown) => {
        if (!(error instanceof CallError)) return;
        attachments.refuse(error);
        refuse(error.fields.message ?? (Object.keys(error.fields).length === 0 ? error.message : undefined));
      },
    );
  };

  return {
    message: draft.message,
    isLong: draft.message.length > COUNT_FROM,
    write,
    form: { onSubmit: send, noValidate: true, 'data-over': isOver || undefined, ...drop },
    input: {
      ref: field,
      autosize: true,
      error,
      errorProps: { role: 'alert' },
      readOnly: sending.isPending,
      value: draft.message,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>) => write(event.currentTarget.value),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
      },
    },
  };
}
