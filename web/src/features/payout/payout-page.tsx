import { IconCash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import type { DataOf } from '#contract/endpoint.ts';
import type { IncomeKind, income } from '#contract/income.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { incomeWords, isResult, resultKinds, teamKinds } from '../../entities/income/labels.ts';
import { formatDate } from '../../ui/format/time.ts';
import { FileButton } from '../../ui/forms/file-button.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './payout.module.css';
import { fileNameOf, filterWords, periodMistake, readDay } from './payout-filter.ts';
import { PeriodChoice } from './period-choice.tsx';
import { downloadPayout, payoutQuery } from './queries.ts';
import { TotalsPanel } from './totals-panel.tsx';

type IncomeDay = DataOf<typeof income.getPayout>['items'][number];

const kindOptions = [...teamKinds, ...resultKinds].map((value) => ({ value, label: incomeWords[value].name }));
const readKind = (given: string | null): IncomeKind | undefined =>
  kindOptions.find((option) => option.value === given)?.value;

/** Shares of fees are transfers, results are trades. */
const whatOf = ({ kind, count }: IncomeDay): string => {
  const noun = isResult(kind) ? 'trade' : 'transfer';
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`;
};
const AmountOf = ({ row: { kind, amount } }: { row: IncomeDay }) =>
  isResult(kind) ? <SignedMoney value={amount} /> : <Money value={amount} />;
const KindOf = ({ kind }: IncomeDay) => <TextLink to={incomeWords[kind].path}>{incomeWords[kind].name}</TextLink>;

const columns: readonly Column<IncomeDay>[] = [
  { key: 'day', label: 'Market day', render: (row) => <span className={classes.when}>{formatDate(row.day)}</span> },
  { key: 'kind', label: 'Income', render: (row) => <KindOf {...row} /> },
  { key: 'what', label: 'What', render: (row) => <span className={classes.quiet}>{whatOf(row)}</span> },
  { key: 'amount', label: 'Amount', align: 'right', render: (row) => <AmountOf row={row} /> },
];

const RowOnMobile = ({ row }: { row: IncomeDay }) => (
  <MobileRow>
    <span>
      <KindOf {...row} />
      <AmountOf row={row} />
    </span>
    <small>
      {formatDate(row.day)} · {whatOf(row)}
    </small>
  </MobileRow>
);

/** The statement of all incomes by market day and kind. Its filter stands in the address. */
export function PayoutPage({ note }: { note: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const { data: session } = useQuery(sessionQuery);
  const paging = useCursorPaging();
  const filter = {
    kind: readKind(search.get('kind')),
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
  };
  const mistake = periodMistake(filter);
  const payout = useQuery({ ...payoutQuery(filter, paging.cursor), enabled: mistake === undefined });
  const isFiltered = filter.kind !== undefined || filter.from !== undefined || filter.to !== undefined;

  const change = (changes: Partial<Record<'kind' | 'from' | 'to', string | undefined>>) => {
    paging.reset();
    setSearch(
      (now) => {
        for (const [name, value] of Object.entries(changes)) {
          now.delete(name);
          if (value) now.set(name, value);
        }
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  };
  const clear = () => change({ kind: undefined, from: undefined, to: undefined });

  return (
    <>
      <PageHead title="Payout" facts="Your incomes by market day and kind: shares of fees, and results of your trades">
        <FileButton
          fileName={fileNameOf(filter)}
          read={(signal) => downloadPayout(filter, signal)}
          disabled={mistake !== undefined}
        />
      </PageHead>
      <div className={classes.grid}>
        <Panel
          title="Statement"
          rule
          padded={false}
          control={
            <FilterMenu
              label="Income"
              allLabel="All incomes"
              options={kindOptions}
              value={filter.kind}
              onChange={(kind) => change({ kind })}
            />
          }
        >
          <PeriodChoice
            from={filter.from}
            to={filter.to}
            today={session?.market_time.slice(0, 10)}
            mistake={mistake}
            onChange={change}
          />
          <DataTable
            label="Statement"
            columns={columns}
            rows={payout.data?.items}
            rowKey={(row) => `${row.day} ${row.kind}`}
            query={payout}
            minHeight={480}
            mobileRow={(row) => <RowOnMobile row={row} />}
            paging={paging.pagingOf(payout.data)}
            filtered={
              isFiltered
                ? {
                    title: 'Nothing matches the filter',
                    text: `Only ${filterWords(filter)} is shown.`,
                    onClear: clear,
                  }
                : undefined
            }
            empty={{
              icon: <IconCash size={20} stroke={1.5} />,
              title: 'No income yet',
              text: 'Each market day lists what your trades came to and what your team’s fees brought.',
            }}
          />
        </Panel>
        <TotalsPanel payout={mistake === undefined ? payout.data : undefined} words={filterWords(filter)} />
      </div>
      {note && <p className={classes.note}>{note}</p>}
    </>
  );
}
