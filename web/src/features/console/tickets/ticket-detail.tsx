import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DeskTicket } from '#contract/tickets/tickets.ts';
import { CallError } from '../../../api/call.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { categoryName } from '../../../entities/ticket/ticket-labels.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { StaleLine } from '../../../ui/table/data-table-states.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskError } from '../kit/list-states.tsx';
import { MemberLink } from '../kit/member-link.tsx';
import { AnswerForm } from './answer-form.tsx';
import { AssignMenu } from './assign-menu.tsx';
import { type DeskThread, threadQuery } from './queries.ts';
import { DeskMessages } from './queue-messages.tsx';
import classes from './ticket-detail.module.css';

const ID = /^[1-9]\d{0,17}$/;

type TicketDetailProps = { id: string; operator: Operator; onClose: () => void };

/** One ticket with all that was written in it, and the answer to it. */
export function TicketDetail({ id, operator, onClose }: TicketDetailProps) {
  const isId = ID.test(id);
  const query = useQuery({ ...threadQuery(id), enabled: isId });
  if (query.data) {
    return (
      <Loaded
        thread={query.data}
        operator={operator}
        onClose={onClose}
        stale={query.isError && <StaleLine query={query} />}
      />
    );
  }
  const isMissing = !isId || (query.error instanceof CallError && query.error.status === 404);
  return (
    <DetailPanel title="Ticket" kind="" onClose={onClose}>
      {isMissing && <p className={classes.missing}>There is no such ticket. The address may be mistyped.</p>}
      {!isMissing && query.isError && <DeskError query={query} title="It could not be loaded" />}
    </DetailPanel>
  );
}

type LoadedProps = { thread: DeskThread; operator: Operator; onClose: () => void; stale: ReactNode };

function Loaded({ thread: { ticket, messages }, operator, onClose, stale }: LoadedProps) {
  return (
    <DetailPanel
      title={ticket.reference}
      kind="Ticket"
      badge={<StateBadge of="query" state={ticket.state} />}
      onClose={onClose}
      foot={<AnswerForm ticket={ticket} operator={operator} />}
    >
      {stale}
      <DetailLead>
        <p className={classes.subject}>{ticket.subject}</p>
        <p className={classes.facts}>
          <Facts ticket={ticket} />
        </p>
      </DetailLead>
      <DetailSection title="Member">
        <MemberLink member={ticket.member} />
      </DetailSection>
      <DetailSection title="Assigned to">
        <AssignMenu ticket={ticket} operator={operator} />
      </DetailSection>
      <DetailSection title="Messages, UTC">
        <DeskMessages messages={messages} />
      </DetailSection>
    </DetailPanel>
  );
}

const Facts = ({ ticket: { category, about, created_at } }: { ticket: DeskTicket }) => (
  <>
    {categoryName(category)}
    {about && ` · about ${about.label}`} · opened {formatDateTime(created_at)}
  </>
);
