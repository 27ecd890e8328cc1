import { Button } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { IncomeLine } from '#contract/income.ts';
import { t } from '../../api/texts.ts';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDate } from '../../ui/format/time.ts';
import { paths, tradeSearch } from '../../ui/paths.ts';
import { column, fileColumn, moneyColumn, rightColumn, usdHead } from '../../ui/table/columns.tsx';
import { type Column, MobileRow, useCursorPaging } from '../../ui/table/data-table.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Day } from '../../ui/text/text.tsx';
import { EarningsFigures, IncomePage } from './income-page.tsx';
import { linesQuery, readLines } from './queries.ts';

type ResultKind = 'trade' | 'compounding';

const words: Record<ResultKind, { facts: string; none: string; action: string; to: string }> = {
  trade: {
    facts: t`Realised P&L, after fees, of your own trades and of plans that pay out their gains.`,
    none: t`Each settled trade is listed here, whether it made a gain or a loss.`,
    action: t`Place a trade`,
    to: tradeSearch(),
  },
  compounding: {
    facts: t`Realised P&L, after fees, of your compounding plans. Gains and losses stay in the plan.`,
    none: t`Settled trades of compounding plans are listed here.`,
    action: t`View your plans`,
    to: paths.plans,
  },
};

const TradeOf = ({ line }: { line: IncomeLine }) => (
  <AssetLink symbol={line.symbol ?? ''} to={paths.trade(line.id)} detail={t`Trade ${line.id}`} />
);

const columns: readonly Column<IncomeLine>[] = [
  column(t`Session`, (line) => <Day on={line.session} />, { csv: (line) => line.session }),
  column(t`Trade`, (line) => <TradeOf line={line} />, { csv: (line) => line.id }),
  fileColumn(t`Asset`, (line) => line.symbol),
  moneyColumn(t`Amount`, (line) => line.volume, { decimals: 'typed' }),
  moneyColumn(t`Fees`, (line) => line.fees),
  rightColumn(t`P&L`, (line) => <SignedMoney value={line.amount} />, {
    csvLabel: usdHead(t`P&L`),
    csv: (line) => line.amount,
  }),
  fileColumn(t`Settled`, (line) => line.created_at),
];

const RowOnMobile = ({ line }: { line: IncomeLine }) => (
  <MobileRow>
    <span>
      <TradeOf line={line} />
      <SignedMoney value={line.amount} />
    </span>
    <small>
      {formatDate(line.session)} · {formatMoney(line.volume, 'typed')} · {t`fees ${formatMoney(line.fees)}`}
    </small>
  </MobileRow>
);

export const TradeIncomePage = () => <ResultPage kind="trade" />;
export const CompoundingIncomePage = () => <ResultPage kind="compounding" />;

/** Settled trades with the realised P&L of each. A trade's own page explains it. */
function ResultPage({ kind }: { kind: ResultKind }) {
  const negative = useNegativeMembers();
  const paging = useCursorPaging();
  const lines = useQuery(linesQuery(kind, paging.cursor));
  const { facts, none, action, to } = words[kind];
  return (
    <IncomePage
      kind={kind}
      facts={facts}
      figures={<EarningsFigures kind={kind} />}
      title={t`Settled trades`}
      fileName={`${kind}-income.csv`}
      readPage={(query, signal) => readLines(kind, query, signal)}
      columns={columns}
      query={lines}
      mobileRow={(line) => <RowOnMobile line={line} />}
      paging={paging}
      empty={{
        icon: IconChartCandle,
        title: t`No settled trades yet`,
        text: none,
        action: (
          <Button component={Link} to={to} variant="default">
            {action}
          </Button>
        ),
      }}
    >
      {negative && <Note>{negative}</Note>}
    </IncomePage>
  );
}
