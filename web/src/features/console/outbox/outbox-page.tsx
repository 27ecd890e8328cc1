import { Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import type { DataOf } from '#contract/endpoint.ts';
import type { outbox } from '#contract/operator/outbox.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';

type Mail = DataOf<typeof outbox.listOutbox>['items'][number];

const readOutbox = (query: PageQuery, signal: AbortSignal) => call(endpoints.outbox.listOutbox, { query, signal });

/** Mails as they were written, in paper mode without a mail server. Looking at them is in the audit log. */
export const OutboxPage = () => (
  <ListPage
    path="outbox"
    title="Outbox"
    facts="Paper mode has no mail server: mails stay here. Reading them is in the audit log."
    label="Mails"
    columns={columns}
    list={useList<Mail>({ queryKey: ['outbox'], readPage: readOutbox })}
    empty={{ icon: <IconMail size={20} stroke={1.5} />, title: 'No mail was written yet' }}
    detail={(_, close, mail) => mail && <MailDetail mail={mail} onClose={close} />}
  />
);

const columns: readonly Column<Mail>[] = [
  {
    key: 'at',
    label: 'Written, UTC',
    width: '124px',
    sorted: 'descending',
    render: (row) => formatShortDateTime(row.created_at),
  },
  { key: 'to', label: 'To', render: (row) => row.to },
  { key: 'subject', label: 'Subject', render: (row) => row.subject },
  { key: 'state', label: 'State', width: '96px', from: 'middle', render: (row) => row.state },
];

function MailDetail({ mail, onClose }: { mail: Mail; onClose: () => void }) {
  return (
    <DetailPanel title={mail.subject} kind="Mail" onClose={onClose}>
      <DetailSection title="Mail">
        <KeyValues
          items={[
            ['To', mail.to],
            ['Written', formatDateTime(mail.created_at)],
            ['State', mail.state],
          ]}
        />
      </DetailSection>
      <DetailSection title="Text">
        <Text fz="sm" lh="20px" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {mail.text}
        </Text>
      </DetailSection>
    </DetailPanel>
  );
}
