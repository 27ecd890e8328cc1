import { ActionIcon, Button, Text } from '@mantine/core';
import { IconArrowLeft, IconMessageOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { aboutPath, categoryName } from '../../entities/ticket/ticket-labels.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { Ask } from '../../ui/forms/ask.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { StaleLine, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { threadQuery, useCloseTicket } from './queries.ts';
import { ReplyForm } from './reply-form.tsx';
import classes from './thread.module.css';
import { Thread } from './thread.tsx';

const ID = /^[1-9]\d{0,17}$/;

/** `/query/7`: one query with everything that was written in it. */
export function ThreadPage() {
  const { id = '' } = useParams();
  return ID.test(id) ? <OneThread key={id} id={id} /> : <NoSuchQuery />;
}

function OneThread({ id }: { id: string }) {
  const query = useQuery(threadQuery(id));
  const late = useLate(query.isPending);
  const thread = query.data;
  if (query.error instanceof CallError && query.error.status === 404) return <NoSuchQuery />;
  return (
    <div className={classes.page}>
      <Head ticket={thread?.ticket} />
      {query.isError && (thread ? <StaleLine query={query} /> : <TableError query={query} />)}
      {late && (
        <Text p="md" c="dimmed" aria-busy="true">
          Loading the messages
        </Text>
      )}
      {thread && (
        <>
          <Thread ticketId={id} messages={thread.messages} />
          <ReplyForm ticket={thread.ticket} />
        </>
      )}
    </div>
  );
}

function Head({ ticket }: { ticket: Ticket | undefined }) {
  return (
    <div className={classes.head}>
      <title>{`${ticket?.subject ?? 'Query'} · ${appInfo.brandName}`}</title>
      <ActionIcon component={Link} to={paths.query} size="lg" aria-label="All queries">
        <IconArrowLeft size={20} stroke={1.5} aria-hidden />
      </ActionIcon>
      <h1>{ticket?.subject ?? 'Query'}</h1>
      {ticket && <StateBadge of="query" state={ticket.state} />}
      <p>{ticket ? <Facts ticket={ticket} /> : '\u00a0'}</p>
      {ticket && ticket.state !== 'closed' && <CloseTicket ticket={ticket} />}
    </div>
  );
}

function Facts({ ticket }: { ticket: Ticket }) {
  const { reference, category, about, created_at } = ticket;
  return (
    <>
      <CodeText>{reference}</CodeText> · {categoryName(category)}
      {about && (
        <>
          {' '}
          · about <TextLink to={aboutPath(about)}>{about.label}</TextLink>
        </>
      )}{' '}
      · opened {formatShortDateTime(created_at)} UTC
    </>
  );
}

/** None, or somebody else's. */
function NoSuchQuery() {
  return (
    <>
      <title>{`Not found · ${appInfo.brandName}`}</title>
      <ListState
        isPage
        icon={<IconMessageOff size={20} stroke={1.5} />}
        title="This query does not exist"
        action={
          <Button component={Link} to={paths.query} variant="default">
            Your queries
          </Button>
        }
      >
        The address may be mistyped.
      </ListState>
    </>
  );
}

/** Says that the question is settled, after asking. */
function CloseTicket({ ticket }: { ticket: Ticket }) {
  const [isAsking, setAsking] = useState(false);
  const close = useCloseTicket(ticket.id);
  const confirm = () =>
    close.mutate(undefined, {
      onSuccess: () => toast.success('Query closed', 'A reply opens it again.'),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <Button ml="auto" size="sm" variant="default" onClick={() => setAsking(true)}>
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
