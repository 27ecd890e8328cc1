import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { feePlanDryRun } from '#contract/endpoints.ts';
import type { DryRunSums, FeePlanTerms } from '#contract/fee-plan.ts';
import { CallError, call } from '../../../api/call.ts';
import { formatMoney, formatSignedMoney, sumDollars } from '../../../ui/format/number.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Banner } from '../../../ui/frame/banner.tsx';
import classes from './fee-plans.module.css';

type Outcome = DataOf<typeof feePlanDryRun.dryRunFeePlan>;

const lines: readonly (readonly [keyof DryRunSums, string])[] = [
  ['trade_fees', 'Trade fees'],
  ['performance_fees', 'Performance fees'],
  ['execution_cost', 'Execution cost'],
  ['referral_bonus', 'Referral bonus'],
  ['level_bonus', 'Team level bonus'],
  ['team_profit', 'Team profit'],
  ['pool_weekly', 'Weekly pool'],
  ['paid_weekly', 'Weekly income of it'],
  ['pool_monthly', 'Monthly pool'],
  ['paid_monthly', 'Monthly income of it'],
  ['pool_rewards', 'Rewards pool'],
  ['revenue', 'Retained'],
];

type DryRunProps = {
  /** Undefined while the draft is not valid. */
  terms: FeePlanTerms | undefined;
  /** Called when the draft is invalid, for the page to show the errors. */
  onInvalid?: () => void;
};

/** The last distributed session under other terms; posts nothing. */
export function DryRun({ terms, onInvalid }: DryRunProps) {
  const run = useMutation({
    mutationFn: (tried: FeePlanTerms) => call(feePlanDryRun.dryRunFeePlan, { body: { terms: tried } }),
  });
  const isOfOtherTerms = run.data !== undefined && JSON.stringify(run.variables) !== JSON.stringify(terms);
  return (
    <>
      <BusyButton
        size="sm"
        variant="default"
        busy={run.isPending}
        busyLabel="Running"
        onClick={() => (terms === undefined ? onInvalid?.() : run.mutate(terms))}
      >
        Dry run
      </BusyButton>
      {run.error instanceof CallError && run.error.code === 'no_shared_session' && (
        <Text size="sm" c="var(--tw-text-2)">
          No session was distributed yet, so there is nothing to compare.
        </Text>
      )}
      {isOfOtherTerms && <Banner tone="amber">The terms changed since this run. Run it again.</Banner>}
      {run.data && <OutcomeTable outcome={run.data} />}
    </>
  );
}

function OutcomeTable({ outcome: { session, actual, proposed } }: { outcome: Outcome }) {
  const day = formatDate(session);
  return (
    <table className={classes.table} data-dense aria-label={`Session of ${day}`}>
      <thead>
        <tr>
          {[day, 'Actual', 'Proposed', 'Difference'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(([line, label]) => (
          <tr key={line}>
            <th scope="row">{label}</th>
            <td>{formatMoney(actual[line], 2)}</td>
            <td>{formatMoney(proposed[line], 2)}</td>
            <td>{formatSignedMoney(sumDollars([proposed[line], -actual[line]]), 2)}</td>
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

const signed = (count: number): string => (count > 0 ? `+${count}` : count < 0 ? `−${-count}` : '0');
