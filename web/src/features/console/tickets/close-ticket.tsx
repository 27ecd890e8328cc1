import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { Ask } from '../../../ui/forms/ask.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { useCloseTicket } from './queries.ts';

/** Says that the question is settled, after asking: the member is told of it. */
export function CloseTicket({ ticket }: { ticket: DeskTicket }) {
  const [isAsking, setAsking] = useState(false);
  const close = useCloseTicket(ticket);
  const confirm = () =>
    close.mutate(undefined, {
      onSuccess: () => toast.success('Ticket closed', `${ticket.member.name} is told; a reply opens it again.`),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Close
      </Button>
      <Ask
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Close ${ticket.reference}?`}
        keep="Keep it open"
        confirm="Close it"
        busy={close.isPending}
        busyLabel="Closing"
        onConfirm={confirm}
      >
        <p>
          <b>{ticket.subject}</b> is then settled. {ticket.member.name} is told, and a reply opens it again.
        </p>
      </Ask>
    </>
  );
}
