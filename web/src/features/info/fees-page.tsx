import { useQuery } from '@tanstack/react-query';
import type { FeePlan } from '#contract/fee-plan.ts';
import { t } from '../../api/texts.ts';
import { feesQuery, spreadsQuery } from '../../api/trading-queries.ts';
import { listChanges } from '../../entities/income/fee-changes.ts';
import { TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { EXAMPLE_SYMBOL, SpreadList, TakenFees, TradeExample, WithdrawalExamples } from './fee-example.tsx';
import { MonthlyRule, UpToRule, WeeklyRule } from './fee-pools.tsx';
import { PerformanceFeeShares, TradeFeeShares, WhoGetsShares } from './fee-shares.tsx';
import { FeeTable, InfoArticle, InfoSection } from './info-article.tsx';
import { LimitList } from './limit-list.tsx';

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
          {failed ? <TableError query={failed} /> : <p>{isLate && t`Loading fees`}</p>}
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
    <InfoSection title={t`Team income is paid only from collected fees`}>
      <p>{t`The trade fee and the performance fee are each posted to a separate ledger account, which is empty once a session’s fees are distributed. The spread is not a separate charge: it is part of the two prices and stays with the trading venue.`}</p>
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
