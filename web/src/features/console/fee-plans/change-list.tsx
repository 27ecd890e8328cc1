import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { listChanges } from '../../../entities/income/fee-changes.ts';
import classes from './fee-plans.module.css';

type ChangeListProps = { from: FeePlanTerms; to: FeePlanTerms };

/** What one plan changes in another, field by field; said in words when it is nothing. */
export function ChangeList({ from, to }: ChangeListProps) {
  const changes = listChanges(from, to);
  if (changes.length === 0) return <p className={classes.quiet}>Nothing changes.</p>;
  return (
    <ul className={classes.changes}>
      {changes.map(({ label, now, next }) => (
        <li key={label}>
          <span>{label}</span>
          <span>
            <del>{now}</del> <span aria-hidden="true">→</span> <ins>{next}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
