import { Box, Text } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import type { IncomeKind, income } from '#contract/income.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { plural, t } from '../../api/texts.ts';
import { incomeLabels, isResult, resultKinds, teamKinds } from '../../entities/income/labels.ts';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { daysBefore, periodError, readDay } from '../../ui/format/period.ts';
import { formatDate, formatDays } from '../../ui/format/time.ts';
import { DateRange } from '../../ui/forms/date-field.tsx';
import { FileButton } from '../../ui/forms/file-button.tsx';
import { Segments } from '../../ui/forms/segments.tsx';
import { Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, DataTable, MobileRow, useCursorPaging } from '../../ui/table/data-table.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { useAddressFilter } from '../../ui/table/use-address-filter.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Quiet, TextLink } from '../../ui/text/text.tsx';
import { downloadPayout, type PayoutFilter, payoutQuery } from './queries.ts';

type Payout = DataOf<typeof income.getPayout>;
type IncomeDay = Payout['items'][number];

const kindOptions = [...teamKinds, ...resultKinds].map((value) => ({ value, label: incomeLabels[value].name }));
const readKind = (given: string | null): IncomeKind | undefined =>
  kindOptions.find((option) => option.value === given)?.value;

/** Shares of fees are transfers, results are trades. */
const countOf = ({ kind, count }: IncomeDay): string =>
  isResult(kind)
    ? plural(count, { one: '# trade', other: '# trades' })
    : plural(count, { one: '# transfer', other: '# transfers' });
const AmountOf = ({ kind, amount }: { kind: IncomeKind; amount: number | undefined }) =>
  isResult(kind) ? <SignedMoney value={amount} /> : <Money value={amount} />;
const KindOf = ({ kind }: IncomeDay) => <TextLink to={incomeLabels[kind].path}>{incomeLabels[kind].name}</TextLink>;

const columns: readonly Column<IncomeDay>[] = [
  column(t`Market day`, (row) => formatDate(row.day)),
  column(t`Income`, (row) => <KindOf {...row} />),
  column(t`Count`, (row) => <Quiet>{countOf(row)}</Quiet>),
  rightColumn(t`Amount`, (row) => <AmountOf {...row} />),
];

const RowOnMobile = ({ row }: { row: IncomeDay }) => (
  <MobileRow>
    <span>
      <KindOf {...row} />
      <AmountOf {...row} />
    </span>
    <small>
      {formatDate(row.day)} · {countOf(row)}
    </small>
  </MobileRow>
);

/** The statement of all incomes by market day and kind. Its filter is in the address. */
export function PayoutPage() {
  const negative = useNegativeMembers();
  const { data: session } = useQuery(sessionQuery);
  const paging = useCursorPaging();
  const { search, change } = useAddressFilter(paging);
  const filter = {
    kind: readKind(search.get('kind')),
    from: readDay(search.get('from')),
    to: readDay(search.get('to')),
  };
  /** The current market day; undefined while loading. */
  const today = session?.market_time.slice(0, 10);
  const error = periodError(filter.from, filter.to);
  const payout = useQuery({ ...payoutQuery(filter, paging.cursor), enabled: error === undefined });
  const words = filterText(filter);

  return (
    <>
      <PageHead
        title={t`Payout`}
        facts={t`Your incomes by market day and kind: shares of fees, and realised P&L of your trades.`}
      >
        <FileButton
          fileName={fileNameOf(filter)}
          read={(signal) => downloadPayout(filter, signal)}
          disabled={error !== undefined}
        />
      </PageHead>
      <Columns lastFirst>
        <Panel
          title={t`Statement`}
          rule
          padded={false}
          control={
            <FilterMenu
              label={t`Income`}
              allLabel={t`All incomes`}
              options={kindOptions}
              value={filter.kind}
              onChange={(kind) => change({ kind })}
            />
          }
        >
          <DateRange
            labels={[t`From`, t`To`]}
            from={filter.from}
            to={filter.to}
            max={today}
            error={error}
            onChange={change}
          >
            {today !== undefined && (
              // As high as the fields, which have a label above.
              <Box mt={{ sm: 31 }}>
                <Segments
                  label={t`Period`}
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
            label={t`Statement`}
            columns={columns}
            rows={payout.data?.items}
            rowKey={(row) => `${row.day} ${row.kind}`}
            query={payout}
            minHeight={480}
            mobileRow={(row) => <RowOnMobile row={row} />}
            paging={paging.pagingOf(payout.data)}
            filtered={
              words !== '' && {
                title: t`No income matches the filter`,
                text: t`Showing only ${words}.`,
                onClear: () => change({ kind: undefined, from: undefined, to: undefined }),
              }
            }
            empty={{
              icon: IconCash,
              title: t`No income yet`,
              text: t`Each market day lists the realised P&L of your trades and your shares of your team’s fees.`,
            }}
          />
        </Panel>
        <TotalsPanel payout={error === undefined ? payout.data : undefined} words={words} />
      </Columns>
      {negative && <Note>{negative}</Note>}
    </>
  );
}

const lengths = [
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
  { value: '90', label: t`90 days` },
  { value: 'all', label: t`All` },
] as const;
type Length = (typeof lengths)[number]['value'];

/** The selected length; none when the days were typed. */
function lengthOf(from: string | undefined, to: string | undefined, today: string): Length {
  if (from === undefined && to === undefined) return 'all';
  const found = lengths.find(
    ({ value }) => value !== 'all' && to === undefined && from === daysBefore(today, Number(value) - 1),
  );
  return (found?.value ?? '') as Length;
}

/** The filter as text: "“Weekly Income”, 1 – 4 Mar". */
function filterText({ kind, from, to }: PayoutFilter): string {
  const until = to && t`until ${formatDate(to)}`;
  const period = from ? (to ? formatDays(from, to) : t`since ${formatDate(from)}`) : until;
  return [kind && `“${incomeLabels[kind].name}”`, period].filter(Boolean).join(', ');
}

/** `payout-weekly-from-2026-03-01-to-2026-03-04.csv`, with the active filters. */
const fileNameOf = ({ kind, from, to }: PayoutFilter): string =>
  `${['payout', kind, from && `from-${from}`, to && `to-${to}`].filter(Boolean).join('-')}.csv`;

/** Totals of all lines that match the filter, shares of fees apart from results. */
function TotalsPanel({ payout, words }: { payout: Payout | undefined; words: string }) {
  const groups = [
    [t`Shares of fees`, teamKinds],
    [t`Realised P&L of your trades`, resultKinds],
  ] as const;
  const amountOf = (kind: IncomeKind) => payout && (payout.totals.find((total) => total.kind === kind)?.amount ?? 0);
  return (
    <Panel title={t`Totals`} foot={words === '' ? t`All days` : words}>
      {groups.map(([title, kinds]) => (
        <section key={title}>
          <Text component="h3" size="xs" fw={500} c="dimmed" mt={8} mb={4}>
            {title}
          </Text>
          <KeyValues
            rule
            items={kinds.map((kind) => [
              incomeLabels[kind].name,
              <AmountOf key={kind} kind={kind} amount={amountOf(kind)} />,
            ])}
          />
        </section>
      ))}
    </Panel>
  );
}
