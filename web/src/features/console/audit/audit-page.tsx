import { IconShieldCheck } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import type { AuditEntry } from '#contract/operator/audit.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { detailsText } from '../kit/details-text.ts';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/use-list.ts';
import { AuditDetail } from './audit-detail.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { filterOf } from './filter.ts';
import { downloadAudit, readAudit } from './queries.ts';

/** Who did what, when and from where: append-only and sealed (docs/product.md, section 10). */
export function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filter = filterOf(params);
  const list = useList<AuditEntry>({ queryKey: ['audit', filter], readPage: readAudit(filter) });
  return (
    <ListPage
      path="audit"
      title="Audit log"
      facts="Newest first. Saving it as a file is an entry of its own."
      actions={
        <FileButton
          fileName="audit-log.csv"
          read={(signal) => downloadAudit(filter, signal)}
          disabled={list.rows === undefined || list.rows.length === 0}
        />
      }
      label="Audit entries"
      dense
      columns={columns}
      list={list}
      empty={{ icon: <IconShieldCheck size={20} stroke={1.5} />, title: 'Nothing happened yet' }}
      filtered={
        Object.keys(filter).length > 0
          ? {
              title: 'No entry fits',
              text: 'Actions, subjects and words have to be whole or begin a word.',
              onClear: () => setParams({}),
            }
          : undefined
      }
      detail={(_, close, entry) => entry && <AuditDetail entry={entry} onClose={close} />}
    >
      <AuditFilters key={params.toString()} params={params} onChange={setParams} />
    </ListPage>
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
