import { ActionIcon, Button, Text } from '@mantine/core';
import { IconArrowLeft, IconMessageOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { t, translate } from '../../api/texts.ts';
import { aboutPath, categoryLabels } from '../../entities/ticket/ticket-labels.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { QueryFault, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { CodeText, TextLink, Trans } from '../../ui/text/text.tsx';
import { threadQuery, useCloseTicket } from './queries.ts';
import { ReplyForm } from './reply-form.tsx';
import classes from './thread.module.css';
import { Thread } from './thread.tsx';

const ID = /^[1-9]\d{0,17}$/;

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
      <QueryFault isList={false} query={query} />
      {late && <Text p="md" c="dimmed" aria-busy="true">{t`Loading messages`}</Text>}
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
      <title>{`${ticket?.subject ?? t`Query`} · ${appInfo.brandName}`}</title>
      <ActionIcon component={Link} to={paths.query} size="lg" aria-label={t`All queries`}>
        <IconArrowLeft size={20} stroke={1.5} aria-hidden />
      </ActionIcon>
      <h1 translate="no">{ticket?.subject ?? t`Query`}</h1>
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
      <CodeText>{reference}</CodeText> · {categoryLabels[category]}
      {about && (
        <>
          {' · '}
          <Trans text={t`about <link/>`} link={<TextLink to={aboutPath(about)}>{translate(about.label)}</TextLink>} />
        </>
      )}
      {' · '}
      {t`opened ${formatShortDateTime(created_at)} UTC`}
    </>
  );
}

/** Also for another member's query. */
function NoSuchQuery() {
  return (
    <>
      <title>{t`Not found · ${appInfo.brandName}`}</title>
      <ListState
        isPage
        icon={IconMessageOff}
        title={t`Query not found`}
        action={<Button component={Link} to={paths.query} variant="default">{t`Your queries`}</Button>}
      >{t`Check the address, or open it from your queries.`}</ListState>
    </>
  );
}

function CloseTicket({ ticket }: { ticket: Ticket }) {
  const [isAsking, setAsking] = useState(false);
  const close = useCloseTicket(ticket.id);
  const confirm = () =>
    close.mutate(undefined, {
      onSuccess: () => {
        toast.success(t`Query closed`, t`A reply reopens it.`);
        setAsking(false);
      },
    });
  return (
    <>
      <Button ml="auto" size="sm" variant="default" onClick={() => setAsking(true)}>{t`Close`}</Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t`Close this query?`}
        keep={t`Keep open`}
        confirm={t`Close query`}
        busy={close.isPending}
        busyLabel={t`Closing`}
        refused={close.error}
        onConfirm={confirm}
      >
        <p>
          <Trans
            text={t`Close <b>${ticket.subject}</b> if your question is answered. All messages stay here. A reply reopens the query.`}
            b={(inner) => <b>{inner}</b>}
          />
        </p>
      </ConfirmDialog>
    </>
  );
}
