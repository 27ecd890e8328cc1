import { Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import type { DataOf } from '#contract/endpoint.ts';
import { outbox } from '#contract/endpoints.ts';
import { call } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { column, lines, timeLines } from '../kit/columns.tsx';
import { DetailFacts, DetailPanel, DetailSection, OneOfList } from '../kit/detail-panel.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';

type Mail = DataOf<typeof outbox.listOutbox>['items'][number];

/** Emails as they were written, in paper mode without a mail server. Opening the page is recorded in the audit log. */
export const OutboxPage = () => (
  <ListPage
    path="outbox"
    title="Outbox"
    facts="Paper mode has no mail server, so emails stay here. Reading them is recorded in the audit log."
    label="Emails"
    columns={columns}
    list={useList<Mail>({
      queryKey: ['outbox'],
      readPage: (query, signal) => call(outbox.listOutbox, { query, signal }),
    })}
    empty={{ icon: IconMail, title: 'No emails yet' }}
    detail={(id, close) => <Opened key={id} id={id} onClose={close} />}
  />
);

/** Instead of the subject of an email to an account that was closed since. */
const deleted = 'Deleted with the account';

/** Each reading is recorded, so it is not repeated by itself. */
const mailQuery = (id: string) =>
  queryOf(['operator', 'outbox', 'one', id], outbox.listOutbox, { query: { id }, staleTime: Number.POSITIVE_INFINITY });

const Opened = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <OneOfList query={mailQuery(id)} kind="Email" onClose={onClose}>
    {(mail) => (
      <DetailPanel title={mail.subject || deleted} kind="Email" onClose={onClose}>
        <DetailFacts
          title="Email"
          items={[
            ['To', mail.to],
            ['Written', formatDateTime(mail.created_at)],
            ['State', <State key="state" of={mail} />],
            mail.fault !== null && ['Error', mail.fault],
          ]}
        />
        <DetailSection title="Text">
          <Text fz="sm" lh="1.25rem" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {mail.text}
          </Text>
        </DetailSection>
      </DetailPanel>
    )}
  </OneOfList>
);

const states = { waiting: 'Waiting', logged: 'Logged', sent: 'Sent', capped: 'Over the limit', failed: 'Failed' };

const State = ({ of: { state } }: { of: Mail }) => (
  <StateBadge of="email" state={state}>
    {states[state]}
  </StateBadge>
);

const columns: readonly Column<Mail>[] = [
  column('Written, UTC', (row) => timeLines(row.created_at), { width: '124px', sorted: 'descending' }),
  column('Email', (row) => lines(row.subject || deleted, row.to)),
  column('State', (row) => lines(<State of={row} />, row.fault), { width: '132px', drop: 'next' }),
];
