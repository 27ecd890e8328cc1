import { Box } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import type { QueryInOf } from '#contract/endpoint.ts';
import { audit } from '#contract/endpoints.ts';
import type { AuditEntry } from '#contract/operator/audit.ts';
import { call, callForFile } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { FileButton } from '../../../ui/forms/file-button.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { changesText } from '../kit/changes-text.ts';
import { column, timeLines } from '../kit/columns.tsx';
import { DetailFacts, DetailPanel, DetailSection, OneOfList } from '../kit/detail-panel.tsx';
import { type FilterField, FilterForm, periodOf } from '../kit/filter-form.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';

/** Who did what, when and from where: append-only and sealed (docs/product.md, section 10). */
export function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filter = filterOf(params);
  const list = useList<AuditEntry>({
    queryKey: ['audit', filter],
    readPage: (query, signal) => call(audit.listAudit, { query: { ...filter, ...query }, signal }),
  });
  return (
    <ListPage
      path="audit"
      title="Audit log"
      facts="Newest first. Each export is recorded too."
      actions={
        <FileButton
          fileName="audit-log.csv"
          read={(signal) => callForFile(audit.listAudit, { query: { ...filter, format: 'csv' }, signal })}
          disabled={list.rows === undefined || list.rows.length === 0}
        />
      }
      label="Audit entries"
      dense
      columns={columns}
      list={list}
      empty={{ icon: IconShieldCheck, title: 'No entries yet' }}
      filtered={
        Object.keys(filter).length > 0 && {
          title: 'No matching entries',
          text: 'Enter whole actions and subjects. A word may be shortened at its end.',
          onClear: () => setParams({}),
        }
      }
      detail={(id, close) => (
        <OneOfList key={id} query={entryQuery(id)} kind="Audit entry" onClose={close}>
          {(entry) => <AuditDetail entry={entry} onClose={close} />}
        </OneOfList>
      )}
    >
      <FilterForm fields={fields} params={params} onChange={setParams} />
    </ListPage>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  column('Time, UTC', (row) => timeLines(row.at), { width: '116px', sorted: 'descending' }),
  column('By', (row) => row.actor.name ?? row.actor.kind, { width: '112px', drop: 'next' }),
  column('Action', (row) => row.action, { width: '216px' }),
  column('Subject', (row) => row.subject, { width: '140px', drop: 'next' }),
  column('Details', (row) => changesText(row.before, row.after), { drop: 'first' }),
];

const actorOptions = [
  { value: 'operator', label: 'Operators' },
  { value: 'member', label: 'Members' },
  { value: 'system', label: 'System' },
] as const satisfies readonly { value: AuditEntry['actor']['kind']; label: string }[];

const fields: readonly FilterField[] = [
  { name: 'text', label: 'Search', type: 'search' },
  { name: 'action', label: 'Action', placeholder: 'member.freeze' },
  { name: 'subject', label: 'Subject', placeholder: 'member:17' },
  { name: 'actor', label: 'By', placeholder: 'Anyone', options: actorOptions },
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
];

const entryQuery = (id: string) => queryOf(['operator', 'audit', 'one', id], audit.listAudit, { query: { id } });

/** One entry with everything that was recorded. */
function AuditDetail({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { id, at, actor, action, subject, before, after, address, seal } = entry;
  return (
    <DetailPanel title={action} kind="Audit entry" onClose={onClose}>
      <DetailFacts
        title="Entry"
        items={[
          ['No.', id],
          ['Time', formatDateTime(at)],
          ['By', actor.id === null ? actor.kind : `${actor.name ?? ''} (${actor.kind} ${actor.id})`.trim()],
          ['Subject', subject],
          ['IP address', address === null ? '–' : <CodeText key="address">{address}</CodeText>],
          ['Seal', seal ?? 'within the next minute'],
        ]}
      />
      <Recorded title="Before" value={before} />
      <Recorded title="After" value={after} />
    </DetailPanel>
  );
}

const Recorded = ({ title, value }: { title: string; value: unknown }) =>
  value !== null && (
    <DetailSection title={title}>
      <Box
        component="pre"
        m={0}
        ff="monospace"
        fz="xs"
        lh="1.125rem"
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {JSON.stringify(value, null, 2)}
      </Box>
    </DetailSection>
  );

type AuditFilter = QueryInOf<typeof audit.listAudit>;

/** The filter in the address, as input of the call; invalid values are omitted. */
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
