import type { FeePlanTerms } from '#contract/fee-plan.ts';
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
    <InfoSection title="Weekly income">
      <p>
        A week runs from Monday 00:00 UTC to the next, in market time, and is paid when all of its sessions are shared.
        Active members with {terms.weekly_min_directs} or more active directs share the weekly pool by their team’s
        volume, levels 1 to 10 without their own. Nobody gets more than {percentWords(terms.weekly_cap_bps)} of the
        pool, and what that leaves stays in it for the next week.
      </p>
    </InfoSection>
  );
}

export function MonthlyRule({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title="Monthly income and rewards">
      <p>
        For a calendar month, an active member is paid by the rank the team’s volume reached. A leg is a direct with
        that direct’s team, down to your level 10, and it counts for at most {percentWords(terms.leg_cap_bps)} of what
        the rank takes{terms.leg_cap_bps < WHOLE_BPS && ', so that no rank is reached with one leg alone'}.
      </p>
      <FeeTable
        label="Ranks"
        heads={['Rank', 'Team volume', 'One leg, at most', 'A month, up to', 'Reward, up to']}
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

/** What "up to" means. */
export function UpToRule({ terms }: { terms: FeePlanTerms }) {
  const [bronze] = terms.ranks;
  const volume = bronze?.volume ?? 0;
  const putIn = dollarsOf(dollarsOf(volume, terms.trade_fee_bps), terms.monthly_bps);
  return (
    <InfoSection title="Why it says up to">
      <ul>
        <li>
          No month pays more than what the rank’s own volume put into the monthly pool: {formatMoney(volume, 2)} of
          volume put in {formatMoney(putIn, 'typed')} under these fees. The same goes for rewards and their pool.
        </li>
        <li>
          If the monthly pool is short, all are scaled down by the same factor. Every paid line says what part of it was
          covered.
        </li>
        <li>
          A reward is claimed once in a lifetime for each rank, from the first month that reaches it on. If the rewards
          pool is short, the claim waits in line, and the page says its place.
        </li>
        <li>Volume is the amounts of opened trades, plans’ included, counted once they are settled.</li>
      </ul>
    </InfoSection>
  );
}
