import type { MonthlyLine, WeeklyLine } from '#contract/income.ts';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { reasonWords } from './labels.ts';

type PaidBadgeProps = {
  line: Pick<WeeklyLine | MonthlyLine, 'reason' | 'paid' | 'held' | 'coverage'>;
  /** What less than the nominal income is called: a week is capped, a month is scaled. */
  short: 'Capped' | 'Scaled';
};

/** What became of a week or month: paid, held, paid in part, or nothing and why. */
export function PaidBadge({ line: { reason, paid, held, coverage }, short }: PaidBadgeProps) {
  if (reason !== null) {
    return (
      <StateBadge of="income" state="locked">
        {reasonWords[reason].short}
      </StateBadge>
    );
  }
  if (paid === 0) {
    return (
      <StateBadge of="income" state="locked">
        Nothing to pay
      </StateBadge>
    );
  }
  if (held) return <StateBadge of="income" state="held" />;
  if (coverage !== null && coverage < 1) {
    return <StateBadge of="income" state="scaled">{`${short} ${coverage.toFixed(2)}`}</StateBadge>;
  }
  return <StateBadge of="income" state="paid" />;
}
