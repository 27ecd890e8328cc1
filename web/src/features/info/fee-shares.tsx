import { percentWords } from '../../entities/income/fee-lines.ts';
import { incomeWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Money } from '../../ui/text/money.tsx';
import { type ExampleRates, workGain } from './fee-example.tsx';
import { FeeTable, InfoSection } from './info-article.tsx';
import { shareOut } from './work-example.ts';

type Share = readonly [who: string, bps: number];

/** A fee of the example cut into its shares; they and the rest are the whole fee. */
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
      heads={['To', 'Share', `Of ${formatMoney(fee)}`]}
      figuresFrom={1}
      rows={[
        ...shares.map(([who, bps], index) => ({
          cells: [who, percentWords(bps), <Money key="amount" value={amounts[index]} />] as const,
        })),
        { cells: ['The house: the rest', percentWords(restBps), <Money key="rest" value={rest} />] },
        { cells: ['The whole fee', '100%', <Money key="fee" value={fee} />], isSum: true },
      ]}
    />
  );
}

export function TradeFeeShares(example: ExampleRates) {
  const { terms } = example;
  const [referral, ...levels] = terms.level_bps as [number, ...number[]];
  return (
    <InfoSection title="Where the trade fee goes">
      <p>
        When a session has settled, the fees it took are shared out, each fee by itself. Level 1 is the trader’s
        sponsor, level 2 the sponsor’s sponsor, and so on up to level 10. In the example above:
      </p>
      <Shares
        label="Shares of the trade fee"
        fee={workGain(example).fee}
        shares={[
          [`Level 1: ${incomeWords.referral.name}`, referral],
          ...levels.map((bps, index): Share => [`Level ${index + 2}: ${incomeWords.level.name}`, bps]),
          [`Weekly pool: ${incomeWords.weekly.name}`, terms.weekly_bps],
          [`Monthly pool: ${incomeWords.monthly.name}`, terms.monthly_bps],
          [`Rewards pool: ${incomeWords.reward.name}`, terms.rewards_bps],
        ]}
      />
    </InfoSection>
  );
}

export function PerformanceFeeShares(example: ExampleRates) {
  const { terms } = example;
  return (
    <InfoSection title="Where the performance fee goes">
      <p>Only a gain pays one. Of the trade above that gains:</p>
      <Shares
        label="Shares of the performance fee"
        fee={workGain(example).performanceFee}
        shares={terms.team_profit_bps.map(
          (bps, index): Share => [`Level ${index + 1}: ${incomeWords.team_profit.name}`, bps],
        )}
      />
    </InfoSection>
  );
}

export function WhoGetsShares() {
  return (
    <InfoSection title="Who gets a share">
      <ul>
        <li>
          An active member: one with a trade, an auto-trade plan’s included, that settled in a session that closed in
          the last 30 days of market time, the session that is being shared included.
        </li>
        <li>
          Level 1 pays every active member. From level 2 on, a level pays a member with at least as many active directs
          as its number: level 4 takes 4. The same goes for the levels of the performance fee.
        </li>
        <li>
          What nobody qualifies for goes to the house, and so do the shares of the company at the top, which gets no
          income. The reason is kept with each share.
        </li>
        <li>
          A share is rounded down to a millionth of a dollar, and what that leaves goes to the house. Shares are paid
          into the Profit Wallet.
        </li>
      </ul>
    </InfoSection>
  );
}
