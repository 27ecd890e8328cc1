import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { t } from '../../api/texts.ts';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { rankWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Money } from '../../ui/text/money.tsx';
import { FeeTable, InfoSection } from './info-article.tsx';
import { dollarsOf } from './work-example.ts';

const WHOLE_BPS = 10_000;
const rankNames = Object.values(rankWords);

export function WeeklyRule({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title={t`Weekly income`}>
      <p>{t`A week starts on Monday at 00:00 UTC in market time and is paid once the fees of all its sessions are distributed. Active members with at least ${terms.weekly_min_directs} active directs qualify. What a trader’s fees put into the weekly pool is split evenly between those of the ten members above the trader who qualify. The sum of these parts is your contributed part, and you are paid at most ${percentWords(terms.weekly_cap_bps)} of what the week put into the pool. The rest is retained by the operator.`}</p>
    </InfoSection>
  );
}

export function MonthlyRule({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title={t`Monthly income and rewards`}>
      <p>
        {t`Active members are paid for each calendar month by the rank that their team volume reached. A leg is one direct with that direct’s team, down to your level 10. One leg counts for at most ${percentWords(terms.leg_cap_bps)} of the volume that a rank requires.`}{' '}
        {terms.leg_cap_bps < WHOLE_BPS && t`No rank can be reached with one leg alone.`}
      </p>
      <FeeTable
        label={t`Ranks`}
        heads={[t`Rank`, t`Team volume`, t`Counted per leg, at most`, t`Monthly income, up to`, t`Reward, up to`]}
        figuresFrom={1}
        rows={terms.ranks.map(({ volume, monthly, reward }, index) => ({
          cells: [
            rankNames[index],
            <Money key="volume" value={volume} decimals={2} />,
            <Money key="leg" value={dollarsOf(volume, terms.leg_cap_bps)} decimals={2} />,
            <Money key="monthly" value={monthly} decimals="typed" />,
            <Money key="reward" value={reward} decimals="typed" />,
          ],
        }))}
      />
    </InfoSection>
  );
}

export function UpToRule({ terms }: { terms: FeePlanTerms }) {
  const [bronze] = terms.ranks;
  const volume = bronze?.volume ?? 0;
  const putIn = dollarsOf(dollarsOf(volume, terms.trade_fee_bps), terms.monthly_bps);
  return (
    <InfoSection title={t`What “up to” means`}>
      <ul>
        <li>{t`A month never pays more than your contributed part of what it put into the monthly pool. Under these fees, a volume of ${formatMoney(volume, 2)} puts in ${formatMoney(putIn, 'typed')}; with two ranked members above its traders, each contributes ${formatMoney(putIn / 2, 'typed')}. Every payment shows its coverage. The rest is retained by the operator.`}</li>
        <li>{t`Each rank’s reward can be claimed once, from the first month in which you reach the rank; of several ranks reached in one month, only the highest pays. It is never more than your contributed part of what that month put into the rewards pool, split between those who reached a new rank. If the pool is too small, the claim is queued and the page shows its position.`}</li>
        <li>{t`So no group of accounts gets more out of a pool than its own fees contributed. Weeks and months that began before these rules keep the earlier ones.`}</li>
        <li>{t`Volume is the sum of the amounts of settled trades, including those of auto-trade plans.`}</li>
      </ul>
    </InfoSection>
  );
}
