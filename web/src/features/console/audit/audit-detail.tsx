import type { AuditEntry } from '#contract/operator/audit.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { Json } from '../kit/json.tsx';

/** One entry with everything that was written down. */
export function AuditDetail({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
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
