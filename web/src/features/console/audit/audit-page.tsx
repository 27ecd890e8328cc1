import { IconShieldCheck } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import type { AuditEntry } from '#contract/operator/audit.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { detailsText } from '../kit/details-text.ts';
import { DeskSplit } from '../kit/list-page.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { useDeskList } from '../kit/use-list.ts';
import { useOpened } from '../kit/use-opened.ts';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { filterOf } from './filter.ts';
import { downloadAudit, readAudit } from './queries.ts';

/** Who did what, when and from where: append-only and sealed (docs/product.md, section 10). */
export function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filter = filterOf(params);
  const isFiltered = Object.keys(filter).length > 0;
  const { opened, open, close } = useOpened('audit');
  const list = useDeskList<AuditEntry>({ queryKey: ['audit', filter], readPage: readAudit(filter) });
  const shown = list.rows?.find(({ id }) => id === opened);
  return (
    <>
      <PageHead title="Audit log" facts="Newest first. Saving it as a file is an entry of its own.">
        <FileButton
          fileName="audit-log.csv"
          read={(signal) => downloadAudit(filter, signal)}
          disabled={list.rows === undefined || list.rows.length === 0}
        />
      </PageHead>
      <AuditFilters key={params.toString()} params={params} onChange={setParams} />
      <DeskSplit detail={shown && <AuditDetail entry={shown} onClose={close} />}>
        <ListTable
          label="Audit entries"
          dense
          columns={columns}
          rows={list.rows}
          rowKey={(row) => row.id}
          selected={shown?.id}
          onOpen={(row) => open(row.id)}
          onClose={close}
          query={list.query}
          onEnd={list.onEnd}
          empty={{ icon: <IconShieldCheck size={20} stroke={1.5} />, title: 'Nothing happened yet' }}
          filtered={
            isFiltered
              ? {
                  title: 'No entry fits',
                  text: 'Actions, subjects and words have to be whole or begin a word.',
                  onClear: () => setParams({}),
                }
              : undefined
          }
        />
      </DeskSplit>
    </>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  {
    key: 'at',
    label: 'When, UTC',
    width: '168px',
    sorted: 'descending',
    render: (row) => `${formatDate(row.at)}, ${formatTime(row.at)}`,
  },
  { key: 'actor', label: 'By', width: '150px', render: (row) => row.actor.name ?? row.actor.kind },
  { key: 'action', label: 'Action', width: '210px', render: (row) => row.action },
  { key: 'subject', label: 'About', width: '140px', from: 'middle', render: (row) => row.subject },
  { key: 'details', label: 'Details', from: 'wide', render: (row) => detailsText(row.before, row.after) },
];
