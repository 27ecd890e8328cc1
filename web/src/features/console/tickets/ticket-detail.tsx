import { Button, Group, Menu } from '@mantine/core';
import { IconCheck, IconChecks, IconChevronDown, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DeskMessage, DeskTicket } from '#contract/tickets/tickets.ts';
import { CallError } from '../../../api/call.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { AttachmentLink } from '../../../entities/ticket/attachment-link.tsx';
import { splitByDay } from '../../../entities/ticket/split-by-day.ts';
import { categoryName } from '../../../entities/ticket/ticket-labels.ts';
import { formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { Ask } from '../../../ui/forms/ask.tsx';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { StaleLine } from '../../../ui/table/data-table-states.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { useKeys } from '../kit/keys.ts';
import { DeskError } from '../kit/list-table.tsx';
import { MemberLink } from '../kit/member.tsx';
import { AnswerForm } from './answer-form.tsx';
import {
  type DeskThread,
  downloadAttachment,
  readersQuery,
  threadQuery,
  useAssign,
  useCloseTicket,
} from './queries.ts';
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

const NOBODY = '';

/** Who looks after it: oneself by one press, or any colleague who answers. The member sees nothing of it. */
function AssignMenu({ ticket, operator }: { ticket: DeskTicket; operator: Operator }) {
  const { data: readers } = useQuery(readersQuery);
  const assign = useAssign(ticket);
  const isMine = ticket.assigned_to?.id === operator.id;
  const give = (to: string) => {
    if (!assign.isPending && to !== (ticket.assigned_to?.id ?? NOBODY)) assign.mutate(to === NOBODY ? null : to);
  };
  useKeys({ t: () => give(operator.id) });
  return (
    <Group gap="xs">
      <Menu position="bottom-start" width="max-content" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="sm"
            variant="default"
            aria-label={`Assigned to ${ticket.assigned_to?.name ?? 'nobody'}`}
            rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden />}
          >
            {ticket.assigned_to?.name ?? 'Nobody'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={ticket.assigned_to?.id ?? NOBODY} onChange={give}>
            <Menu.RadioItem value={NOBODY} closeMenuOnClick>
              Nobody
            </Menu.RadioItem>
            {readers?.items.map(({ id, name, role }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick>
                {name}, {id === operator.id ? 'you' : role}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {!isMine && (
        <BusyButton
          size="sm"
          variant="default"
          busy={assign.isPending}
          busyLabel="Taking"
          onClick={() => give(operator.id)}
        >
          Take it
        </BusyButton>
      )}
    </Group>
  );
}

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

/** A thread opens at its end. New messages move whoever reads the end along, and leave everybody else where they are. */
function useStayAtEnd(count: number) {
  const end = useRef<HTMLDivElement>(null);
  const isSeen = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more messages are what moves the page
  useLayoutEffect(() => {
    if (!isSeen.current) return;
    const toEnd = () => end.current?.scrollIntoView({ block: 'nearest' });
    toEnd();
    // The field below takes its height after it was drawn, and would cover the last line.
    const frame = requestAnimationFrame(toEnd);
    return () => cancelAnimationFrame(frame);
  }, [count]);

  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver((entries) => {
      isSeen.current = entries.at(-1)?.isIntersecting ?? false;
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);

  return end;
}

/** What both sides wrote, and the notes between operators, by day, the oldest first. */
function DeskMessages({ messages }: { messages: readonly DeskMessage[] }) {
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
