import { useQuery } from '@tanstack/react-query';
import { feesQuery } from '../../shared/trading/queries.ts';
import { TableError, useLate } from '../../shared/ui/data-table-states.tsx';
import { TakenFees, TradeExample, WithdrawalExamples } from './fee-example.tsx';
import { MonthlyRule, UpToRule, WeeklyRule } from './fee-pools.tsx';
import { PerformanceFeeShares, TradeFeeShares, WhoGetsShares } from './fee-shares.tsx';
import { InfoArticle, InfoSection } from './info-article.tsx';
import { NextFeePlan } from './next-fee-plan.tsx';

/** Fees and what becomes of them, from the fee plan in force. */
export function FeesPage() {
  const query = useQuery(feesQuery);
  const isLate = useLate(query.isPending);
  const { data: fees } = query;
  return (
    <InfoArticle title="Fees" facts="What trading costs, where it goes, and one trade worked through">
      {fees === undefined ? (
        <InfoSection title="What is taken">
          {query.isError ? <TableError query={query} /> : <p>{isLate && 'Reading the fees.'}</p>}
        </InfoSection>
      ) : (
        <>
          {fees.next !== null && <NextFeePlan current={fees.current} next={fees.next} />}
          <TakenFees terms={fees.current.terms} />
          <TradeExample terms={fees.current.terms} />
          <WithdrawalExamples terms={fees.current.terms} />
          <TradeFeeShares terms={fees.current.terms} />
          <PerformanceFeeShares terms={fees.current.terms} />
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
