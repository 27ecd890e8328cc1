import { useQuery } from '@tanstack/react-query';
import { feesQuery, spreadsQuery } from '../../api/trading-queries.ts';
import { TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { EXAMPLE_SYMBOL, TakenFees, TradeExample, WithdrawalExamples } from './fee-example.tsx';
import { MonthlyRule, UpToRule, WeeklyRule } from './fee-pools.tsx';
import { PerformanceFeeShares, TradeFeeShares, WhoGetsShares } from './fee-shares.tsx';
import { InfoArticle, InfoSection } from './info-article.tsx';
import { NextFeePlan } from './next-fee-plan.tsx';
import { SpreadList } from './spread-list.tsx';

/** Fees and what becomes of them, from the fee plan in force. */
export function FeesPage() {
  const query = useQuery(feesQuery);
  const spreadsAsked = useQuery(spreadsQuery);
  const isLate = useLate(query.isPending || spreadsAsked.isPending);
  const { data: fees } = query;
  const spreads = spreadsAsked.data?.items;
  const spreadBps = spreads?.find(({ symbol }) => symbol === EXAMPLE_SYMBOL)?.spread_bps;
  const failed = [query, spreadsAsked].find(({ isError }) => isError);
  return (
    <InfoArticle title="Fees" facts="What trading costs, where it goes, and one trade worked through">
      {fees === undefined || spreads === undefined || spreadBps === undefined ? (
        <InfoSection title="What is taken">
          {failed ? <TableError query={failed} /> : <p>{isLate && 'Reading the fees.'}</p>}
        </InfoSection>
      ) : (
        <>
          {fees.next !== null && <NextFeePlan current={fees.current} next={fees.next} />}
          <TakenFees terms={fees.current.terms} spreads={spreads} />
          <SpreadList spreads={spreads} />
          <TradeExample terms={fees.current.terms} spreadBps={spreadBps} />
          <WithdrawalExamples terms={fees.current.terms} />
          <TradeFeeShares terms={fees.current.terms} spreadBps={spreadBps} />
          <PerformanceFeeShares terms={fees.current.terms} spreadBps={spreadBps} />
          <WhoGetsShares />
          <WeeklyRule terms={fees.current.terms} />
          <MonthlyRule terms={fees.current.terms} />
          <UpToRule terms={fees.current.terms} />
          <WhereFeesAre />
        </>
      )}
    </InfoArticle>
  );
}

function WhereFeesAre() {
  return (
    <InfoSection title="Only from fees that were collected">
      <p>
        The trade fee and the performance fee are each booked to an account of their own in the ledger, which is empty
        again when a session’s fees are shared out. The spread is no booking of its own: it is in the two prices, and
        stays at the trading venue.
      </p>
      <p>
        The ledger only takes movements that are on its list. There is no entry on it from members’ wallets or deposits
        to anybody else’s income: an income can be paid only out of fees that were collected before.
      </p>
    </InfoSection>
  );
}
