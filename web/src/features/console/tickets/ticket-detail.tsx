import { Box, Button, Group, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { OperatorMessage, OperatorTicket } from '#contract/tickets/tickets.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { Message, MessageLog, MessageRule } from '../../../entities/ticket/message.tsx';
import { splitByDay } from '../../../entities/ticket/split-by-day.ts';
import { categoryLabels } from '../../../entities/ticket/ticket-labels.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { StaleLine } from '../../../ui/table/data-table-states.tsx';
import { DetailLead, DetailMember, DetailPanel, DetailSection, Quiet } from '../kit/detail-panel.tsx';
import { useKeys } from '../kit/keys.ts';
import { Missing, OneFailed } from '../kit/list-table.tsx';
import { AnswerForm } from './answer-form.tsx';
import { downloadAttachment, type OperatorThread, readersQuery, threadQuery, useAssign } from './queries.ts';

const ID = /^[1-9]\d{0,17}$/;

/** One ticket with its messages, and the form that answers it. */
export function TicketDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const isId = ID.test(id);
  const query = useQuery({ ...threadQuery(id), enabled: isId });
  if (query.data) {
    return <Loaded thread={query.data} onClose={onClose} stale={query.isError && <StaleLine query={query} />} />;
  }
  return (
    <DetailPanel title="Ticket" kind="" onClose={onClose}>
      {!isId && <Missing what="ticket" />}
      {query.isError && <OneFailed query={query} what="ticket" />}
    </DetailPanel>
  );
}

type LoadedProps = { thread: OperatorThread; onClose: () => void; stale: ReactNode };

function Loaded({ thread: { ticket, messages }, onClose, stale }: LoadedProps) {
  return (
    <DetailPanel
      title={ticket.reference}
      kind="Ticket"
      badge={<StateBadge of="query" state={ticket.state} />}
      onClose={onClose}
      foot={<AnswerForm ticket={ticket} seen={messages.at(-1)?.id} />}
    >
      {stale}
      <DetailLead>
        <Text size="lg" fw={600} lh="1.375rem" style={{ overflowWrap: 'anywhere' }}>
          {ticket.subject}
        </Text>
        <Quiet>
          {categoryLabels[ticket.category]}
          {ticket.about && ` · about ${ticket.about.label}`} · opened {formatDateTime(ticket.created_at)}
        </Quiet>
      </DetailLead>
      <DetailMember member={ticket.member} />
      <DetailSection title="Assigned to">
        <AssignMenu ticket={ticket} />
      </DetailSection>
      <DetailSection title="Messages, UTC">
        <Messages messages={messages} />
      </DetailSection>
    </DetailPanel>
  );
}

const NOBODY = '';

/** Assigns the ticket; the member does not see to whom. */
function AssignMenu({ ticket }: { ticket: OperatorTicket }) {
  const me = useOperator().id;
  const { data: readers } = useQuery(readersQuery);
  const assign = useAssign(ticket);
  const isMine = ticket.assigned_to?.id === me;
  const assignTo = (to: string) => {
    if (!assign.isPending && to !== (ticket.assigned_to?.id ?? NOBODY)) assign.mutate(to === NOBODY ? null : to);
  };
  useKeys({ t: () => assignTo(me) });
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
            {ticket.assigned_to?.name ?? 'Unassigned'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={ticket.assigned_to?.id ?? NOBODY} onChange={assignTo}>
            <Menu.RadioItem value={NOBODY} closeMenuOnClick>
              Unassigned
            </Menu.RadioItem>
            {readers?.items.map(({ id, name, role }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick>
                {name}, {id === me ? 'you' : role}
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
          busyLabel="Assigning"
          onClick={() => assignTo(me)}
        >
          Assign to me
        </BusyButton>
      )}
    </Group>
  );
}

/** A thread opens at its end. It scrolls with new messages only while its end is in view. */
function useStayAtEnd(count: number) {
  const end = useRef<HTMLDivElement>(null);
  const isSeen = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: more messages are what moves the page
  useLayoutEffect(() => {
    if (!isSeen.current) return;
    const toEnd = () => end.current?.scrollIntoView({ block: 'nearest' });
    toEnd();
    // The field below gets its height after rendering, and would cover the last line.
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

/** Messages and private notes by day, oldest first. */
function Messages({ messages }: { messages: readonly OperatorMessage[] }) {
  const end = useStayAtEnd(messages.length);
  const lastAnswer = messages.findLast((message) => message.author === 'support' && !message.private)?.id;
  return (
    <>
      <MessageLog>
        {splitByDay(messages).map(({ day, messages: ofDay }) => (
          <Fragment key={day}>
            <MessageRule>{day}</MessageRule>
            {ofDay.map((message) => (
              <Message
                key={message.id}
                message={message}
                by={message.private ? `${message.name}, private note` : message.name}
                isOwn={message.author === 'support'}
                isPrivate={message.private}
                download={downloadAttachment}
                seen={
                  message.id === lastAnswer
                    ? { isSeen: message.seen, words: message.seen ? 'Seen by the member' : 'Not seen yet' }
                    : undefined
                }
              />
            ))}
          </Fragment>
        ))}
      </MessageLog>
      <Box h={1} style={{ scrollMarginBottom: 14 }} ref={end} />
    </>
  );
}
