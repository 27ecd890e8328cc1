import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { Ask } from '../../ui/forms/ask.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { useCloseTicket } from './queries.ts';
import classes from './thread.module.css';

/** Says that the question is settled, after asking. */
export function CloseTicket({ ticket }: { ticket: Ticket }) {
  const [isAsking, setAsking] = useState(false);
  const close = useCloseTicket(ticket.id);
  const confirm = () =>
    close.mutate(undefined, {
      onSuccess: () => toast.success('Query closed', 'A reply opens it again.'),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button className={classes.close} size="sm" variant="default" onClick={() => setAsking(true)}>
        Close
      </Button>
      <Ask
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Close this query?"
        keep="Keep it open"
        confirm="Close it"
        busy={close.isPending}
        busyLabel="Closing"
        onConfirm={confirm}
      >
        <p>
          <b>{ticket.subject}</b> is then settled. All messages stay here, and a reply opens it again.
        </p>
      </Ask>
    </>
  );
}
