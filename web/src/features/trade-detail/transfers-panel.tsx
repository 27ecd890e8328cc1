import { IconArrowsSort } from '@tabler/icons-react';
import type { TradeDetail, TradeTransfer } from '#contract/trading/trade-detail.ts';
import { formatShortDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { accountWord, transferWord } from './labels.ts';
import classes from './transfers-panel.module.css';
import { exactDollars } from './working.ts';

/** The member's own balance after it: of the account that gave, if it is the member's, else of the one that got. */
function Balance({ transfer }: { transfer: TradeTransfer }) {
  const { from, to, from_balance_after: ofFrom, to_balance_after: ofTo } = transfer;
  const lines = [
    [from, ofFrom],
    [to, ofTo],
  ] as const;
  return lines.map(([account, balance]) =>
    balance === null ? null : (
      <small key={account} className={classes.balance}>
        {accountWord(account)} ${exactDollars(balance)}
      </small>
    ),
  );
}

const columns: readonly Column<TradeTransfer>[] = [
  {
    key: 'when',
    label: 'Market time, UTC',
    render: (row) => `${formatShortDateTime(row.market_at)}:${row.market_at.slice(17, 19)}`,
  },
  {
    key: 'what',
    label: 'What',
    render: (row) => (
      <>
        {transferWord(row.reason)}
        <small>transfer {row.id}</small>
      </>
    ),
  },
  { key: 'way', label: 'From and to', render: (row) => `${accountWord(row.from)} → ${accountWord(row.to)}` },
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    render: (row) => <span className={classes.number}>${exactDollars(row.amount)}</span>,
  },
  { key: 'balance', label: 'Balance after', align: 'right', render: (row) => <Balance transfer={row} /> },
];

/** Every movement of money the trade made, as the ledger has it. */
export function TransfersPanel({ transfers, query }: { transfers: TradeDetail['transfers']; query: ListQuery }) {
  return (
    <Panel title="Ledger transfers" rule padded={false}>
      <DataTable
        label="Ledger transfers"
        columns={columns}
        rows={transfers}
        rowKey={(row) => row.id}
        query={query}
        mobileRow={(row) => (
          <div className={classes.row}>
            <span>
              {transferWord(row.reason)}
              <b className={classes.number}>${exactDollars(row.amount)}</b>
            </span>
            <small>
              {formatShortDateTime(row.market_at)} UTC · {accountWord(row.from)} → {accountWord(row.to)}
            </small>
          </div>
        )}
        empty={{ icon: <IconArrowsSort size={20} stroke={1.5} />, title: 'No transfers yet' }}
      />
    </Panel>
  );
}
