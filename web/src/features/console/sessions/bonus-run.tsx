import type { SessionDetail } from '#contract/operator/sessions.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime, formatDays } from '../../../ui/format/time.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailSection } from '../kit/detail-panel.tsx';
import { countOf, runWords } from './labels.ts';

/** A week or month is paid right after it is computed; one that stays so is held by an alarm. */
const periodWords: Readonly<Record<SessionDetail['periods'][number]['state'], string>> = {
  computing: 'Being computed',
  paying: 'Computed; held while an alarm stands',
  checking: 'Being checked',
  done: 'Done',
};

type BonusRunProps = { run: NonNullable<SessionDetail['bonus']>; periods: SessionDetail['periods'] };

/** How the session's fees were shared out, and the week and the month that hang on it. */
export function BonusRun({ run, periods }: BonusRunProps) {
  const { shares, inputs_hash: inputs, outputs_hash: outputs } = run;
  return (
    <>
      <DetailSection title={`Bonus run: ${runWords[run.state].toLowerCase()}`}>
        <KeyValues
          items={[
            ['Fee plan', `no. ${run.fee_plan}`],
            ['Paid', `${countOf(run.blocks, 'block')} of 4,096 members`],
            ...(shares === null
              ? []
              : ([
                  ['Referral bonus', formatMoney(shares.referral_bonus)],
                  ['Team level bonus', formatMoney(shares.level_bonus)],
                  ['Team profit', formatMoney(shares.team_profit)],
                  ['Weekly pool', formatMoney(shares.pool_weekly)],
                  ['Monthly pool', formatMoney(shares.pool_monthly)],
                  ['Rewards pool', formatMoney(shares.pool_rewards)],
                  ['Revenue', formatMoney(shares.revenue)],
                ] as const)),
            ...(run.finished_at === null ? [] : ([['Books found right', formatDateTime(run.finished_at)]] as const)),
          ]}
        />
      </DetailSection>
      {inputs !== null && (
        <DetailSection title="What it rests on">
          <CopyBox value={inputs} what="hash" />
        </DetailSection>
      )}
      {outputs !== null && (
        <DetailSection title="What it paid">
          <CopyBox value={outputs} what="hash" />
        </DetailSection>
      )}
      {periods.map((period) => (
        <DetailSection
          key={period.kind}
          title={`${period.kind === 'weekly' ? 'Weekly' : 'Monthly'} income, ${formatDays(period.starts_on, period.ends_on)}`}
        >
          <KeyValues
            items={[
              ['State', periodWords[period.state]],
              ['Pool', formatMoney(period.pool)],
              [
                period.state === 'paying' ? 'To be paid' : 'Paid',
                period.paid === null ? '–' : formatMoney(period.paid),
              ],
            ]}
          />
          {period.outputs_hash !== null && <CopyBox value={period.outputs_hash} what="hash" />}
        </DetailSection>
      ))}
    </>
  );
}
