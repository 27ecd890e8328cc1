import { t } from '../../api/texts.ts';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { incomeWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Money } from '../../ui/text/money.tsx';
import { type ExampleRates, workGain } from './fee-example.tsx';
import { FeeTable, InfoSection } from './info-article.tsx';
import { shareOut } from './work-example.ts';

type Share = readonly [who: string, bps: number];

function Shares({ label, fee, shares }: { label: string; fee: number; shares: readonly Share[] }) {
  const {
    shares: amounts,
    rest,
    restBps,
  } = shareOut(
    fee,
    shares.map(([, bps]) => bps),
  );
  return (
    <FeeTable
      label={label}
      heads={[t`To`, t`Share`, t`Of ${formatMoney(fee)}`]}
      figuresFrom={1}
      rows={[
        ...shares.map(([who, bps], index) => ({
          cells: [who, percentWords(bps), <Money key="amount" value={amounts[index]} />] as const,
        })),
        { cells: [t`Retained by the operator`, percentWords(restBps), <Money key="rest" value={rest} />] },
        { cells: [t`Total`, '100%', <Money key="fee" value={fee} />], isSum: true },
      ]}
    />
  );
}

export function TradeFeeShares(example: ExampleRates) {
  const { terms } = example;
  const [referral, ...levels] = terms.level_bps as [number, ...number[]];
  return (
    <InfoSection title={t`Trade fee allocation`}>
      <p>{t`After a session settles, each fee is distributed separately. Level 1 is the trader’s sponsor, level 2 the sponsor’s sponsor, and so on up to level 10. In the example above:`}</p>
      <Shares
        label={t`Shares of the trade fee`}
        fee={workGain(example).fee}
        shares={[
          [t`Level 1: ${incomeWords.referral.name}`, referral],
          ...levels.map((bps, index): Share => [t`Level ${index + 2}: ${incomeWords.level.name}`, bps]),
          [t`Weekly pool: ${incomeWords.weekly.name}`, terms.weekly_bps],
          [t`Monthly pool: ${incomeWords.monthly.name}`, terms.monthly_bps],
          [t`Rewards pool: ${incomeWords.reward.name}`, terms.rewards_bps],
        ]}
      />
    </InfoSection>
  );
}

export function PerformanceFeeShares(example: ExampleRates) {
  const { terms } = example;
  return (
    <InfoSection title={t`Performance fee allocation`}>
      <p>{t`Only trades with a gain pay a performance fee. In the example with a gain:`}</p>
      <Shares
        label={t`Shares of the performance fee`}
        fee={workGain(example).performanceFee}
        shares={terms.team_profit_bps.map(
          (bps, index): Share => [t`Level ${index + 1}: ${incomeWords.team_profit.name}`, bps],
        )}
      />
    </InfoSection>
  );
}

export function WhoGetsShares() {
  return (
    <InfoSection title={t`Who qualifies`}>
      <ul>
        <li>{t`Active members qualify. A member is active with a trade, including one of an auto-trade plan, that settled in a session of the last 30 days, including the session whose fees are distributed.`}</li>
        <li>{t`Level 1 pays every active member. From level 2, a level pays members with at least as many active directs as its number: level 4 requires 4. The same applies to the performance fee.`}</li>
        <li>{t`Shares that nobody qualifies for stay with the operator, as do the shares of the company at the top of the team. Each share is recorded with its reason.`}</li>
        <li>{t`Shares are rounded down to a millionth of a dollar; the remainder stays with the operator. Shares are paid into the Profit Wallet.`}</li>
      </ul>
    </InfoSection>
  );
}
