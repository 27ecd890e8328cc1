import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import type { trading } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import { limitsQuery } from '../../api/trading-queries.ts';
import { listChanges } from '../../entities/income/fee-changes.ts';
import { feesQuery, formatBps, hasExchangeFee } from '../../entities/income/fees.ts';
import { incomeLabels, rankLabels } from '../../entities/income/labels.ts';
import { spreadsQuery } from '../../entities/income/spreads.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { Money } from '../../ui/text/money.tsx';
import {
  EXAMPLE_SYMBOL,
  type ExampleRates,
  SpreadList,
  TakenFees,
  TradeExample,
  WithdrawalExamples,
  workGain,
} from './fee-example.tsx';
import { FeeTable, InfoArticle, InfoSection } from './info-article.tsx';
import { dollarsOf, shareOut } from './work-example.ts';

export function FeesPage() {
  const query = useQuery(feesQuery);
  const spreadsAsked = useQuery(spreadsQuery);
  const isLate = useLate(query.isPending || spreadsAsked.isPending);
  const { data: fees } = query;
  const spreads = spreadsAsked.data?.items;
  const spreadBps = spreads?.find(({ symbol }) => symbol === EXAMPLE_SYMBOL)?.spread_bps;
  const failed = [query, spreadsAsked].find(({ isError }) => isError);
  return (
    <InfoArticle title={t`Fees`} facts={t`What trading costs, where fees go, and a worked example`}>
      {fees === undefined || spreads === undefined || spreadBps === undefined ? (
        <InfoSection title={t`Fees`}>
          {failed ? <TableError isList={false} query={failed} /> : <Box mih="100vh">{isLate && t`Loading fees`}</Box>}
        </InfoSection>
      ) : (
        <>
          {fees.next !== null && <NextFeePlan current={fees.current} next={fees.next} />}
          <TakenFees terms={fees.current.terms} spreads={spreads} />
          <SpreadList spreads={spreads} />
          <LimitList />
          <TradeExample terms={fees.current.terms} spreadBps={spreadBps} />
          <WithdrawalExamples terms={fees.current.terms} />
          <TradeFeeShares terms={fees.current.terms} spreadBps={spreadBps} />
          <PerformanceFeeShares terms={fees.current.terms} spreadBps={spreadBps} />
          <FeeRecipients />
          <WeeklyRule terms={fees.current.terms} />
          <MonthlyRule terms={fees.current.terms} />
          <UpToRule terms={fees.current.terms} />
          <FeeAccounts />
        </>
      )}
    </InfoArticle>
  );
}

function FeeAccounts() {
  return (
    <InfoSection title={t`Team income is paid only from collected fees`}>
      <p>{t`The trade fee and the performance fee are each posted to a separate ledger account, which is empty once a session’s fees are distributed.`}</p>
      <p>
        {hasExchangeFee()
          ? t`The spread is not a separate charge: it is part of the two prices and stays with us. What the exchange takes stays with the exchange.`
          : t`The spread is not a separate charge: it is part of the two prices and stays with the trading venue.`}
      </p>
      <p>{t`The ledger accepts only transfers from a fixed list. The list has no transfer from a member’s wallets or deposits to another member’s income. Team income can be paid only from fees already collected.`}</p>
    </InfoSection>
  );
}

function NextFeePlan({ current, next }: { current: FeePlan; next: FeePlan }) {
  const changes = listChanges(current.terms, next.terms);
  return (
    <InfoSection title={t`From the next session`}>
      <p>{t`New fees apply when the next session opens. Until then, and for every trade in an earlier session, the fees below apply. Weekly and monthly income uses the fees in force at the end of the period.`}</p>
      <p>{t`Reason: ${next.note}`}</p>
      {changes.length === 0 ? (
        <p>{t`No figure on this page changes.`}</p>
      ) : (
        <FeeTable
          label={t`Changes from the next session`}
          heads={[t`Fee`, t`Now`, t`From the next session`]}
          figuresFrom={1}
          rows={changes.map((change) => ({ cells: [change.label, change.now, change.next] as const }))}
        />
      )}
    </InfoSection>
  );
}

type AssetLimits = DataOf<typeof trading.listLimits>['items'][number];

/** How much can be traded of each asset (docs/product.md, section 3, "Position limits"). */
function LimitList() {
  const query = useQuery(limitsQuery);
  const isLate = useLate(query.isPending);
  return (
    <InfoSection title={t`Position limits`}>
      {query.data === undefined ? (
        query.isError ? (
          <TableError isList={false} query={query} />
        ) : (
          <p>{isLate && t`Loading limits`}</p>
        )
      ) : (
        <Limits items={query.data.items} />
      )}
    </InfoSection>
  );
}

function Limits({ items }: { items: readonly AssetLimits[] }) {
  const limited = items.filter(({ trade, member, all }) => trade !== null || member !== null || all !== null);
  if (limited.length === 0) return <p>{t`There are no limits on the size of trades.`}</p>;
  return (
    <>
      <p>{t`A trade is refused when it is larger than the largest trade, or when queued and open trades in the asset would exceed what you, or all members together, may have. The refusal says how much is still possible.`}</p>
      <p>{t`Trades open in the order of placing. One that no longer fits when it is due to open is cancelled, and its full amount is returned; later ones open if they fit. An auto-trade plan then skips the session.`}</p>
      {limited.length < items.length && <p>{t`Assets that are not listed here have no limits.`}</p>}
      <FeeTable
        label={t`Limits of each asset`}
        heads={[t`Asset`, t`Largest trade`, t`Yours in all`, t`All members`]}
        figuresFrom={1}
        rows={limited.map(({ symbol, trade, member, all }) => ({
          cells: [pairOf(symbol), limitText(trade), limitText(member), limitText(all)],
        }))}
      />
    </>
  );
}

/** `$50,000`, or `none`. */
const limitText = (dollars: number | null): string => (dollars === null ? t`none` : formatMoney(dollars, 2));

const WHOLE_BPS = 10_000;
const rankNames = Object.values(rankLabels);

function WeeklyRule({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title={t`Weekly income`}>
      <p>{t`A week starts on Monday at 00:00 UTC in market time and is paid once the fees of all its sessions are distributed. Active members with at least ${terms.weekly_min_directs} active directs qualify. What a trader’s fees put into the weekly pool is split evenly between those of the ten members above the trader who qualify. The sum of these parts is your contributed part, and you are paid at most ${formatBps(terms.weekly_cap_bps)} of the week’s contributions to the pool. The rest is retained by the operator.`}</p>
    </InfoSection>
  );
}

function MonthlyRule({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title={t`Monthly income and rewards`}>
      <p>
        {t`Active members are paid for each calendar month by the rank that their team volume reached. A leg is one direct with that direct’s team, down to your level 10. One leg counts for at most ${formatBps(terms.leg_cap_bps)} of the volume that a rank requires.`}{' '}
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

function UpToRule({ terms }: { terms: FeePlanTerms }) {
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
          cells: [who, formatBps(bps), <Money key="amount" value={amounts[index]} />] as const,
        })),
        { cells: [t`Retained by the operator`, formatBps(restBps), <Money key="rest" value={rest} />] },
        { cells: [t`Total`, '100%', <Money key="fee" value={fee} />], isSum: true },
      ]}
    />
  );
}

function TradeFeeShares(example: ExampleRates) {
  const { terms } = example;
  const [referral, ...levels] = terms.level_bps as [number, ...number[]];
  return (
    <InfoSection title={t`Trade fee allocation`}>
      {hasExchangeFee() && (
        <p>{t`What a session’s orders cost at the exchange beyond the prices of its trades is paid from the fees first; every share is of what is left.`}</p>
      )}
      <p>{t`After a session settles, each fee is distributed separately. Level 1 is the trader’s sponsor, level 2 the sponsor’s sponsor, and so on up to level 10. In the example above:`}</p>
      <Shares
        label={t`Shares of the trade fee`}
        fee={workGain(example).fee}
        shares={[
          [t`Level 1: ${incomeLabels.referral.name}`, referral],
          ...levels.map((bps, index): Share => [t`Level ${index + 2}: ${incomeLabels.level.name}`, bps]),
          [t`Weekly pool: ${incomeLabels.weekly.name}`, terms.weekly_bps],
          [t`Monthly pool: ${incomeLabels.monthly.name}`, terms.monthly_bps],
          [t`Rewards pool: ${incomeLabels.reward.name}`, terms.rewards_bps],
        ]}
      />
    </InfoSection>
  );
}

function PerformanceFeeShares(example: ExampleRates) {
  const { terms } = example;
  return (
    <InfoSection title={t`Performance fee allocation`}>
      <p>{t`Only trades with a gain pay a performance fee. In the example with a gain:`}</p>
      <Shares
        label={t`Shares of the performance fee`}
        fee={workGain(example).performanceFee}
        shares={terms.team_profit_bps.map(
          (bps, index): Share => [t`Level ${index + 1}: ${incomeLabels.team_profit.name}`, bps],
        )}
      />
    </InfoSection>
  );
}

function FeeRecipients() {
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
