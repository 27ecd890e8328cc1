import type { DataOf } from '#contract/endpoint.ts';
import type { FeePlanTerms, feePlanDryRun, WaterfallSums } from '#contract/fee-plan.ts';
import { CallError } from '../../../api/call.ts';
import { formatMoney, formatSignedMoney } from '../../../ui/format/money.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import classes from './fee-plans.module.css';
import { useDryRun } from './queries.ts';

type Outcome = DataOf<typeof feePlanDryRun.dryRunFeePlan>;

const lines: readonly (readonly [keyof WaterfallSums, string])[] = [
  ['trade_fees', 'Trade fees'],
  ['performance_fees', 'Performance fees'],
  ['referral_bonus', 'Referral bonus'],
  ['level_bonus', 'Team level bonus'],
  ['team_profit', 'Team profit'],
  ['pool_weekly', 'Weekly pool'],
  ['pool_monthly', 'Monthly pool'],
  ['pool_rewards', 'Rewards pool'],
  ['revenue', 'Stays with the house'],
];

type DryRunProps = {
  /** Undefined while they cannot be read. */
  terms: FeePlanTerms | undefined;
  /** Called when it cannot be run, so that the page says what is wrong with the draft. */
  onUnread?: () => void;
};

/** The last session that was shared, as it was and as it would have been; posts nothing. */
export function DryRun({ terms, onUnread }: DryRunProps) {
  const run = useDryRun();
  const isOfOtherTerms = run.data !== undefined && JSON.stringify(run.variables) !== JSON.stringify(terms);
  return (
    <>
      <BusyButton
        size="sm"
        variant="default"
        busy={run.isPending}
        busyLabel="Running"
        onClick={() => (terms === undefined ? onUnread?.() : run.mutate(terms))}
      >
        Dry run
      </BusyButton>
      {run.isError && run.error instanceof CallError && run.error.code === 'no_shared_session' && (
        <p className={classes.quiet}>No session was shared yet, so there is none to run it on.</p>
      )}
      {isOfOtherTerms && <Banner tone="amber">Run before the last change. Run it again.</Banner>}
      {run.data && <OutcomeTable outcome={run.data} />}
    </>
  );
}

function OutcomeTable({ outcome: { session, actual, proposed } }: { outcome: Outcome }) {
  return (
    <table className={classes.outcome} aria-label={`Session of ${formatDate(session)}`}>
      <thead>
        <tr>
          <th scope="col">{formatDate(session)}</th>
          <th scope="col">As it was</th>
          <th scope="col">Proposed</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(([line, label]) => (
          <tr key={line}>
            <th scope="row">{label}</th>
            <td>{formatMoney(actual[line], 2)}</td>
            <td>{formatMoney(proposed[line], 2)}</td>
            <td>{formatSignedMoney(differenceOf(proposed[line], actual[line]), 2)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Members paid</th>
          <td>{actual.beneficiaries}</td>
          <td>{proposed.beneficiaries}</td>
          <td>{signed(proposed.beneficiaries - actual.beneficiaries)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** In whole micros: what two dollars of doubles differ by is not a sum of money. */
const differenceOf = (after: number, before: number): number => Math.round((after - before) * 1e6) / 1e6;
const signed = (count: number): string => (count > 0 ? `+${count}` : count < 0 ? `−${-count}` : '0');
