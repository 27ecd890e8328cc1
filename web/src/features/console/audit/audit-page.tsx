import { IconShieldCheck } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import type { AuditEntry } from '#contract/operator/audit.ts';
import { call, callForFile } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDate, formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { detailsText } from '../kit/details-text.ts';
import { type FilterField, FilterForm, periodOf } from '../kit/filter-form.tsx';
import { Json } from '../kit/json.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';

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
      <FilterForm key={params.toString()} fields={fields} params={params} onChange={setParams} />
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

const actorOptions = [
  { value: 'operator', label: 'Operators' },
  { value: 'member', label: 'Members' },
  { value: 'system', label: 'The system' },
] as const satisfies readonly { value: AuditEntry['actor']['kind']; label: string }[];

const fields: readonly FilterField[] = [
  { name: 'text', label: 'Words', type: 'search' },
  { name: 'action', label: 'Action', placeholder: 'member.freeze' },
  { name: 'subject', label: 'About', placeholder: 'member:17' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
  { name: 'actor', label: 'By', placeholder: 'Anybody', options: actorOptions },
];

/** One entry with everything that was written down. */
function AuditDetail({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { id, at, actor, action, subject, before, after, address, seal } = entry;
  return (
    <DetailPanel title={`${action}`} kind="Audit entry" onClose={onClose}>
      <DetailSection title="What happened">
        <KeyValues
          items={[
            ['Entry', id],
            ['When', formatDateTime(at)],
            ['By', actor.id === null ? actor.kind : `${actor.name ?? ''} (${actor.kind} ${actor.id})`.trim()],
            ['About', subject],
            ['From', address === null ? '–' : <CodeText key="address">{address}</CodeText>],
            ['Seal', seal ?? 'with the next minute’s'],
          ]}
        />
      </DetailSection>
      {before !== null && (
        <DetailSection title="Before">
          <Json value={before} />
        </DetailSection>
      )}
      {after !== null && (
        <DetailSection title="After">
          <Json value={after} />
        </DetailSection>
      )}
    </DetailPanel>
  );
}

type AuditFilter = {
  actor?: AuditEntry['actor']['kind'];
  action?: string;
  subject?: string;
  text?: string;
  from?: string;
  to?: string;
};

/** The filter that an address names, as the call takes it; what does not fit its form is left out. */
export function filterOf(params: URLSearchParams): AuditFilter {
  const filter: AuditFilter = { ...periodOf(params) };
  const actor = actorOptions.find(({ value }) => value === params.get('actor'))?.value;
  if (actor !== undefined) filter.actor = actor;
  for (const name of ['action', 'subject', 'text'] as const) {
    const value = params.get(name)?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}

const readAudit = (filter: AuditFilter) => (query: PageQuery, signal: AbortSignal) =>
  call(endpoints.audit.listAudit, { query: { ...filter, ...query }, signal });

/** All that fits as the server writes it. */
const downloadAudit = (filter: AuditFilter, signal: AbortSignal): Promise<Blob> =>
  callForFile(endpoints.audit.listAudit, { query: { ...filter, format: 'csv' }, signal });
