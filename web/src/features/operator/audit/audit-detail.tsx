import type { AuditEntry } from '#contract/audit.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { CodeText } from '../../../shared/ui/code-text.tsx';
import { KeyValues } from '../../../shared/ui/key-values.tsx';
import { DetailPanel, DetailSection } from '../shell/detail-panel.tsx';
import { Json } from '../shell/json.tsx';

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
