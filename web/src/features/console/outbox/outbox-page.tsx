import { IconMail } from '@tabler/icons-react';
import type { operator } from '#contract/accounts/operator-sign-in.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskSplit } from '../kit/list-page.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { useDeskList } from '../kit/use-list.ts';
import { useOpened } from '../kit/use-opened.ts';
import classes from './outbox.module.css';

type Mail = DataOf<typeof operator.listOutbox>['items'][number];

const readOutbox = (query: PageQuery, signal: AbortSignal) => call(endpoints.operator.listOutbox, { query, signal });

/** Mails as they were written, in paper mode without a mail server. Looking at them is in the audit log. */
export function OutboxPage() {
  const { opened, open, close } = useOpened('outbox');
  const list = useDeskList<Mail>({ queryKey: ['outbox'], readPage: readOutbox });
  const shown = list.rows?.find(({ id }) => id === opened);
  return (
    <>
      <PageHead
        title="Outbox"
        facts="Paper mode has no mail server: mails stay here. Reading them is in the audit log."
      />
      <DeskSplit detail={shown && <MailDetail mail={shown} onClose={close} />}>
        <ListTable
          label="Mails"
          columns={columns}
          rows={list.rows}
          rowKey={(row) => row.id}
          selected={shown?.id}
          onOpen={(row) => open(row.id)}
          onClose={close}
          query={list.query}
          onEnd={list.onEnd}
          empty={{ icon: <IconMail size={20} stroke={1.5} />, title: 'No mail was written yet' }}
        />
      </DeskSplit>
    </>
  );
}

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
        <p className={classes.text}>{mail.text}</p>
      </DetailSection>
    </DetailPanel>
  );
}
