import { useQuery } from '@tanstack/react-query';
import type { FeePlan } from '#contract/fee-plan.ts';
import { feesQuery, spreadsQuery } from '../../api/trading-queries.ts';
import { listChanges } from '../../entities/income/fee-changes.ts';
import { TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { EXAMPLE_SYMBOL, SpreadList, TakenFees, TradeExample, WithdrawalExamples } from './fee-example.tsx';
import { MonthlyRule, UpToRule, WeeklyRule } from './fee-pools.tsx';
import { PerformanceFeeShares, TradeFeeShares, WhoGetsShares } from './fee-shares.tsx';
import { FeeTable, InfoArticle, InfoSection } from './info-article.tsx';

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

/** What another plan, which waits for the next opening, will change. */
function NextFeePlan({ current, next }: { current: FeePlan; next: FeePlan }) {
  const changes = listChanges(current.terms, next.terms);
  return (
    <InfoSection title="From the next session on">
      <p>
        New fees are in force when the next session opens. Until then, and for every trade of a session that opened
        before, the fees below stay. A week or a month is paid by the fees in force at its end.
      </p>
      <p>Why: {next.note}</p>
      {changes.length === 0 ? (
        <p>They change no figure on this page.</p>
      ) : (
        <FeeTable
          label="What changes with the next session"
          heads={['What changes', 'Now', 'From the next session']}
          figuresFrom={1}
          rows={changes.map((change) => ({ cells: [change.label, change.now, change.next] as const }))}
        />
      )}
    </InfoSection>
  );
}
