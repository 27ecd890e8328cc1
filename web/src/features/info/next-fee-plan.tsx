import type { FeePlan } from '#contract/fee-plan.ts';
import { listChanges } from '../../entities/income/fee-changes.ts';
import { FeeTable } from './fee-table.tsx';
import { InfoSection } from './info-article.tsx';

/** What another plan, which waits for the next opening, will change. */
export function NextFeePlan({ current, next }: { current: FeePlan; next: FeePlan }) {
  const changes = listChanges(current.terms, next.terms);
  return (
    <InfoSection title="From the next session on">
      <p>
        New fees are in force when the next session opens. Until then, and for every trade of a session that opened
        before, the fees below stay. A week or a month is paid by the fees in force at its end.
      </p>
      <p>Why: {next.note}</p>
      {changes.length === 0 ? (
        <p>They change no figure on this page.</p>
      ) : (
        <FeeTable
          label="What changes with the next session"
          heads={['What changes', 'Now', 'From the next session']}
          figuresFrom={1}
          rows={changes.map((change) => ({ cells: [change.label, change.now, change.next] as const }))}
        />
      )}
    </InfoSection>
  );
}
