import { Box, Text } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { IncomeKind, income } from '#contract/income.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { incomeWords, isResult, resultKinds, teamKinds } from '../../entities/income/labels.ts';
import { periodMistake, readDay } from '../../ui/format/period.ts';
import { formatDate } from '../../ui/format/time.ts';
import { DateRange } from '../../ui/forms/date-range.tsx';
import { FileButton } from '../../ui/forms/file-button.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import { Columns } from '../../ui/frame/columns.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { MobileRow } from '../../ui/table/mobile-row.tsx';
import { useAddressFilter } from '../../ui/table/use-address-filter.ts';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { Quiet } from '../../ui/text/words.tsx';
import { daysBefore, fileNameOf, filterWords } from './payout-filter.ts';
import { downloadPayout, payoutQuery } from './queries.ts';

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
  { key: 'day', label: 'Market day', render: (row) => formatDate(row.day) },
  { key: 'kind', label: 'Income', render: (row) => <KindOf {...row} /> },
  { key: 'what', label: 'What', render: (row) => <Quiet>{whatOf(row)}</Quiet> },
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
  const { data: session } = useQuery(sessionQuery);
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const filter = {
    kind: readKind(search.get('kind')),
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
  };
  /** The market's day now: undefined until it is known. */
  const today = session?.market_time.slice(0, 10);
  const mistake = periodMistake(filter.from, filter.to);
  const payout = useQuery({ ...payoutQuery(filter, paging.cursor), enabled: mistake === undefined });
  const isFiltered = filter.kind !== undefined || filter.from !== undefined || filter.to !== undefined;

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
      <Columns lastFirst>
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
          <DateRange
            labels={['From', 'To']}
            from={filter.from}
            to={filter.to}
            max={today}
            mistake={mistake}
            onChange={change}
          >
            {today !== undefined && (
              // As high as the fields, which have a label above.
              <Box mt={{ sm: 31 }}>
                <Segments
                  label="Period"
                  options={lengths}
                  value={lengthOf(filter.from, filter.to, today)}
                  onChange={(length) =>
                    change({
                      from: length === 'all' ? undefined : daysBefore(today, Number(length) - 1),
                      to: undefined,
                    })
                  }
                />
              </Box>
            )}
          </DateRange>
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
      </Columns>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
}

const lengths = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'all', label: 'All' },
] as const;
type Length = (typeof lengths)[number]['value'];

/** The length that is in force, so that the row shows it; none when the days were typed. */
function lengthOf(from: string | undefined, to: string | undefined, today: string): Length {
  if (from === undefined && to === undefined) return 'all';
  const found = lengths.find(
    ({ value }) => value !== 'all' && to === undefined && from === daysBefore(today, Number(value) - 1),
  );
  return (found?.value ?? '') as Length;
}

type TotalsPanelProps = {
  payout: DataOf<typeof income.getPayout> | undefined;
  /** What the statement is filtered by; empty without a filter. */
  words: string;
};

/** Sums of everything the filter lets through, shares of fees apart from results. */
function TotalsPanel({ payout, words }: TotalsPanelProps) {
  return (
    <Panel title="Totals" foot={words === '' ? 'All days' : words}>
      <Kind>Shares of fees</Kind>
      <Sums kinds={teamKinds} payout={payout} />
      <Kind>Results of your trades</Kind>
      <Sums kinds={resultKinds} payout={payout} />
    </Panel>
  );
}

const Kind = ({ children }: { children: string }) => (
  <Text component="h3" size="xs" fw={500} c="dimmed" mt={8} mb={4}>
    {children}
  </Text>
);

function Sums({ kinds, payout }: { kinds: readonly IncomeKind[]; payout: TotalsPanelProps['payout'] }) {
  const amountOf = (kind: IncomeKind) => payout && (payout.totals.find((total) => total.kind === kind)?.amount ?? 0);
  return (
    <KeyValues
      rule
      items={kinds.map((kind) => [
        incomeWords[kind].name,
        isResult(kind) ? (
          <SignedMoney key={kind} value={amountOf(kind)} />
        ) : (
          <Money key={kind} value={amountOf(kind)} />
        ),
      ])}
    />
  );
}
