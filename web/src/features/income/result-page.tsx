import { Button, Text } from '@mantine/core';
import { IconChartCandle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { IncomeLine } from '#contract/income.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { incomeWords } from '../../entities/income/labels.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths, tradeSearch } from '../../ui/paths.ts';
import { CsvExport } from '../../ui/table/csv-export.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { EarningsFigures } from './earnings-figures.tsx';
import classes from './income.module.css';
import { IncomePage } from './income-page.tsx';
import { linesQuery, pageOf } from './queries.ts';

type ResultKind = 'trade' | 'compounding';

const words: Record<ResultKind, { facts: string; from: string; none: string }> = {
  trade: {
    facts: 'Results of your trades at market prices: gains and losses, after fees',
    from: 'Trades of your own and of plans whose gains are paid out.',
    none: 'A trade is listed here once it is settled, whether it gained or lost.',
  },
  compounding: {
    facts: 'Results of your compounding plans at market prices: gains and losses, after fees',
    from: 'Gains and losses stay in the plan.',
    none: 'Trades of compounding plans are listed here once they are settled.',
  },
};

const TradeOf = ({ line }: { line: IncomeLine }) => (
  <AssetLink symbol={line.symbol ?? ''} to={paths.trade(line.id)} detail={`trade ${line.id}`} />
);

const columns: readonly Column<IncomeLine>[] = [
  {
    key: 'session',
    label: 'Session',
    render: (line) => <span className={classes.when}>{formatDate(line.session)}</span>,
    csv: (line) => line.session,
  },
  { key: 'trade', label: 'Trade', render: (line) => <TradeOf line={line} />, csv: (line) => line.id },
  { key: 'asset', label: 'Asset', csv: (line) => line.symbol },
  {
    key: 'volume',
    label: 'Amount',
    align: 'right',
    render: (line) => <Money value={line.volume} decimals="typed" />,
    csv: (line) => line.volume,
  },
  {
    key: 'fees',
    label: 'Fees paid',
    align: 'right',
    render: (line) => <Money value={line.fees} />,
    csv: (line) => line.fees,
  },
  {
    key: 'result',
    label: 'Result',
    align: 'right',
    render: (line) => <SignedMoney value={line.amount} />,
    csv: (line) => line.amount,
  },
  { key: 'settled', label: 'Settled', csv: (line) => line.created_at },
];

function RowOnMobile({ line }: { line: IncomeLine }) {
  return (
    <MobileRow>
      <span>
        <TradeOf line={line} />
        <SignedMoney value={line.amount} />
      </span>
      <small>
        {formatDate(line.session)} · <Money value={line.volume} decimals="typed" /> · fees <Money value={line.fees} />
      </small>
    </MobileRow>
  );
}

/** Settled trades with what each came to. A trade's own page shows how its result came about. */
export function ResultPage({ kind, note }: { kind: ResultKind; note: ReactNode }) {
  const paging = useCursorPaging();
  const lines = useQuery(linesQuery(kind, paging.cursor));
  const { name } = incomeWords[kind];
  const { facts, from, none } = words[kind];
  return (
    <IncomePage
      name={name}
      facts={facts}
      download={
        <CsvExport
          fileName={`${kind}-income.csv`}
          columns={columns}
          readPage={(query, signal) => call(endpoints.income.listLines, { params: { kind }, query, signal })}
        />
      }
    >
      <EarningsFigures kind={kind} />
      <Panel title={name} rule padded={false} className={classes.listed} control={from}>
        <DataTable
          label={name}
          columns={columns}
          rows={lines.data?.items}
          rowKey={(line) => line.id}
          query={lines}
          minHeight={400}
          mobileRow={(line) => <RowOnMobile line={line} />}
          paging={paging.pagingOf(pageOf(lines.data))}
          empty={{
            icon: <IconChartCandle size={20} stroke={1.5} />,
            title: 'No results yet',
            text: none,
            action:
              kind === 'trade' ? (
                <Button variant="default" renderRoot={(props) => <Link to={tradeSearch()} {...props} />}>
                  Trade
                </Button>
              ) : (
                <Button variant="default" renderRoot={(props) => <Link to={paths.plans} {...props} />}>
                  Your plans
                </Button>
              ),
          }}
        />
      </Panel>
      {note && (
        <Text c="dimmed" fz="xs" lh="16px">
          {note}
        </Text>
      )}
    </IncomePage>
  );
}
