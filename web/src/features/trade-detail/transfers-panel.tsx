import { IconArrowsSort } from '@tabler/icons-react';
import type { TradeDetail, TradeTransfer } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';
import { accountName } from '../../entities/trade/account-names.ts';
import { formatDateTime, formatDay, formatSeconds } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import { type Column, DataTable, MobileRow } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { transferLabel } from './labels.ts';
import { exactDollars } from './working.ts';

/**
 * The member's balance after the transfer: of the debited account if it is the member's, otherwise of the credited one.
 */
function Balance({ transfer }: { transfer: TradeTransfer }) {
  const { from, to, from_balance_after: ofFrom, to_balance_after: ofTo } = transfer;
  const lines = [
    [from, ofFrom],
    [to, ofTo],
  ] as const;
  return lines.map(([account, balance]) =>
    balance === null ? null : (
      <small key={account}>
        {accountName(account)} ${exactDollars(balance)}
      </small>
    ),
  );
}

const columns: readonly Column<TradeTransfer>[] = [
  column(t`Market time, UTC`, (row) => `${formatDay(row.market_at)}, ${formatSeconds(row.market_at)}`),
  column(t`Type`, (row) => (
    <>
      {transferLabel(row.reason)}
      <small>{t`Transfer ${row.id}`}</small>
    </>
  )),
  column(t`From and to`, (row) => `${accountName(row.from)} → ${accountName(row.to)}`),
  rightColumn(t`Amount`, (row) => `$${exactDollars(row.amount)}`),
  rightColumn(t`Balance after`, (row) => <Balance transfer={row} />),
];

/** Every transfer of the trade, as in the ledger. */
export function TransfersPanel({ transfers, query }: { transfers: TradeDetail['transfers']; query: ListQuery }) {
  return (
    <Panel title={t`Ledger transfers`} rule padded={false}>
      <DataTable
        label={t`Ledger transfers`}
        columns={columns}
        rows={transfers}
        rowKey={(row) => row.id}
        query={query}
        mobileRow={(row) => (
          <MobileRow>
            <span>
              {transferLabel(row.reason)}
              <span>${exactDollars(row.amount)}</span>
            </span>
            <small>
              {formatDateTime(row.market_at)} · {accountName(row.from)} → {accountName(row.to)}
            </small>
          </MobileRow>
        )}
        empty={{ icon: <IconArrowsSort size={20} stroke={1.5} />, title: t`No transfers yet` }}
      />
    </Panel>
  );
}
