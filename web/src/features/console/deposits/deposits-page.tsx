import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { operatorPayouts } from '#contract/endpoints.ts';
import type { DepositState } from '#contract/funds/deposits.ts';
import type { OperatorDeposit } from '#contract/funds/review.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { stateLabel } from '../../../ui/state/state-badge.tsx';
import { CsvExport } from '../../../ui/table/csv-export.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { useSlowNow } from '../kit/age.ts';
import {
  column,
  Flags,
  fileColumn,
  lines,
  MemberCell,
  rightColumn,
  timeLines,
  usdHead,
  waitLines,
} from '../kit/columns.tsx';
import { ListPage, useTab } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { overviewQuery } from '../shell/queries.ts';
import { DepositDetail, flagsOf } from './deposit-detail.tsx';

const LIST_POLL_MS = 15_000;

/** The tabs: review first, then in the order of the states. */
const states = [
  'review',
  'created',
  'pending',
  'underpaid',
  'credited',
  'refunded',
  'rejected',
  'expired',
  'failed',
] as const satisfies readonly DepositState[];

const readDeposits = (state: DepositState) => (query: PageQuery, signal: AbortSignal) =>
  call(operatorPayouts.listOperatorDeposits, { query: { ...query, state }, signal });

/** Deposits that need a decision, and all others for reference (docs/product.md, section 4). */
export function DepositsPage() {
  const now = useSlowNow();
  const tab = useTab<DepositState>(states);
  const state = tab.value;
  const word = stateLabel(state).toLowerCase();
  const { data: overview } = useQuery(overviewQuery);
  const list = useList<OperatorDeposit>({
    queryKey: ['deposits', 'list', state],
    readPage: readDeposits(state),
    pollMs: LIST_POLL_MS,
  });
  const columns = columnsOf(state, now);
  return (
    <ListPage
      path="deposits"
      title={state === 'review' ? 'Deposits in review' : 'Deposits'}
      facts={
        state === 'review'
          ? 'Underpaid, paid late, again or in another coin, reversed, or of a closed account. Oldest first.'
          : 'Newest first.'
      }
      actions={<CsvExport fileName={`deposits-${state}.csv`} columns={columns} readPage={readDeposits(state)} />}
      tabs={{
        label: 'State',
        tabs: states.map((value) => ({
          value,
          label: stateLabel(value),
          count: (value === 'review' && overview?.queues.deposits_in_review.count) || undefined,
        })),
        ...tab,
      }}
      label={`Deposits, ${word}`}
      columns={columns}
      list={list}
      empty={{
        icon: IconDownload,
        title: `No deposits ${word}`,
        text: state === 'review' && 'Deposits that the gateway cannot settle by itself appear here.',
      }}
      detail={(id, close) => <DepositDetail key={id} id={id} onClose={close} />}
    />
  );
}

/** For how long it has been in review, and why. */
function columnsOf(state: DepositState, now: number): readonly Column<OperatorDeposit>[] {
  const isReview = state === 'review';
  const isPayable = state === 'created' || state === 'pending' || state === 'underpaid';
  const figure = isReview ? 'Held' : isPayable ? 'Paid' : 'Credited';
  return [
    fileColumn('Reference', (row) => row.reference),
    fileColumn('State', (row) => row.state),
    column(
      isReview ? 'Waiting' : 'Created, UTC',
      (row) => (isReview ? waitLines(row.updated_at, now) : timeLines(row.created_at)),
      {
        width: isReview ? '108px' : '132px',
        sorted: isReview ? 'ascending' : 'descending',
        csvLabel: 'Created, UTC',
        csv: (row) => row.created_at,
      },
    ),
    fileColumn('Changed, UTC', (row) => row.updated_at),
    fileColumn('Registered Id', (row) => row.member.referral_code),
    column('Member', (row) => <MemberCell member={row.member} />, { csv: (row) => row.member.name }),
    column('Reference', (row) => lines(<CodeText>{row.reference}</CodeText>, row.gateway), {
      width: '112px',
      drop: 'next',
    }),
    rightColumn('Requested', (row) => lines(formatMoney(row.amount, 'typed'), row.currency), {
      width: '104px',
      drop: 'next',
      csvLabel: usdHead('Requested'),
      csv: (row) => row.amount,
    }),
    fileColumn('Currency', (row) => row.currency),
    fileColumn(usdHead('Credited'), (row) => row.credited),
    fileColumn(usdHead('Held'), (row) => row.held),
    fileColumn(usdHead('Paid'), (row) => row.paid),
    rightColumn(
      figure,
      (row) => <Money value={figure === 'Held' ? row.held : figure === 'Paid' ? row.paid : row.credited} />,
      {
        width: '120px',
      },
    ),
    fileColumn(usdHead('Refunded'), (row) => row.refunded),
    fileColumn('Gateway', (row) => row.gateway),
    fileColumn('Invoice', (row) => row.invoice_id),
    fileColumn('Transaction', (row) => row.transaction),
    rightColumn(
      isReview ? 'Cause' : 'Note',
      (row) => {
        const flags = flagsOf(row);
        return flags.length > 0 ? <Flags flags={flags} /> : row.note;
      },
      { width: '140px', drop: 'first', csvLabel: 'Note', csv: (row) => row.note },
    ),
  ];
}
