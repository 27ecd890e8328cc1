import { sql } from 'kysely';
import type { Settlement, StatementFinding } from '#contract/operator/statement.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getValue, hasRow, listRows } from '#server/db/rows.ts';
import { assetMarks } from '#server/market/index.ts';
import type { BatchOrder } from '../core/execution/batch-plan.ts';
import type { BookedFill } from '../core/execution/match-statement.ts';
import type { StatementLine } from '../execution/venue-port.ts';
import type { NewImport } from './statement-sql.ts';

/** A stored statement line; amounts are decimal text. */
export type StoredLine = Omit<StatementLine, 'at'> & { readonly at: string };

export type StoredFill = Omit<BookedFill, 'kind' | 'batchId' | 'at' | 'side'> & {
  readonly batchId: string;
  readonly at: string;
  readonly side: 'buy' | 'sell';
};

export type Finding = Pick<StatementFinding, 'exchange' | 'kind' | 'state'> & {
  readonly id: bigint;
  readonly foundAt: Date;
  readonly closedAt: Date | null;
  readonly transferId: bigint | null;
  readonly postedId: bigint | null;
  readonly reference: string | null;
  readonly line: StoredLine | null;
  readonly fill: StoredFill | null;
  /** Whether the order is ours and not booked as unfilled, so that its batch alone books fills; the order, if it has yet to. */
  readonly isOurOrder: boolean;
  readonly unread: (BatchOrder & { readonly mark: string }) | null;
};

/**
 * Whether operators said what order `o`, which the exchange never answered about, filled, and the order of line `l` cost
 * the same: it is that one, whatever id they gave the fill.
 */
const isStated = sql`
  o.exchange_order_id is null and o.elsewhere_id is null and o.filled > 0 and o.side = l.side
  and l.at between o.sent_at - interval '1 day' and o.sent_at + interval '1 day'
  and abs((select sum(s.cost) from trading.statement_line s where s.exchange = l.exchange and s.symbol = l.symbol and s.order_id = l.order_id)
    - (select sum(i.cost) from trading.batch_fill i where i.batch_id = o.id)) < 0.001 * l.cost`;

const columns = sql`
  f.id, f.exchange, f.kind, f.state, f.found_at as "foundAt", f.closed_at as "closedAt", f.transfer_id as "transferId", f.posted_id as "postedId",
  f.reference,
  case when l.id is not null then jsonb_build_object('kind', l.kind, 'id', l.line_id, 'at', l.at, 'pair', l.pair, 'symbol', l.symbol,
    'coin', l.coin, 'orderId', l.order_id, 'clientOrderId', l.client_order_id, 'side', l.side, 'quantity', l.quantity::text,
    'cost', l.cost::text, 'fee', l.fee::text, 'feeCoin', l.fee_coin, 'amount', l.amount::text, 'transaction', l.transaction,
    'word', l.word) end as line,
  case when b.id is not null then jsonb_build_object('batchId', b.id::text, 'tradeId', i.exchange_trade_id, 'at', i.filled_at,
    'symbol', b.symbol, 'orderId', b.exchange_order_id, 'side', b.side, 'quantity', i.quantity::text, 'cost', i.cost::text,
    'fee', i.fee_quantity::text, 'feeCoin', i.fee_coin) end as fill,
  l.order_id is not null and exists (
    select from trading.batch o where o.symbol = l.symbol and not (o.state = 'booked' and o.filled = 0)
      and (o.exchange_order_id = l.order_id or ${isStated})) as "isOurOrder",
  (select jsonb_build_object('side', o.side, 'quantity', o.quantity::text, 'limitPrice', o.limit_price::text, 'mark', o.mark::text)
    from trading.batch o where o.exchange_order_id = l.order_id and o.symbol = l.symbol and o.state = 'sent') as unread`;
const tables = sql`
  trading.statement_finding f
  left join trading.statement_line l on l.id = f.line_id
  left join trading.batch_fill i on i.batch_id = f.batch_id and i.exchange_trade_id = f.exchange_trade_id
  left join trading.batch b on b.id = f.batch_id`;

/**
 * Open ones oldest first, others newest first.
 *
 * @param after the id of the last one already shown
 */
export const listFindingRows = (
  db: Db,
  { state, after, limit }: { state: Finding['state']; after: bigint | undefined; limit: number },
) =>
  state === 'open'
    ? listRows(db)<Finding>`
        select ${columns} from ${tables} where f.state = 'open' and f.id > ${after ?? 0n} order by f.id limit ${limit}`
    : listRows(db)<Finding>`
        select ${columns} from ${tables}
        where f.state = ${state} and f.state <> 'open' and (${after ?? null}::bigint is null or f.id < ${after ?? null}::bigint)
        order by f.id desc limit ${limit}`;

export const listFindingsOf = (db: Db, ids: readonly bigint[]) =>
  listRows(db)<Finding>`
    select ${columns} from ${tables} where f.id = any(${ids.map(String)}::text[]::bigint[])`;

export async function lockFinding(tx: Tx, id: bigint): Promise<Finding | undefined> {
  const isFound = await hasRow(tx)`select 1 from trading.statement_finding where id = ${id} for update`;
  return isFound ? (await listFindingsOf(tx, [id]))[0] : undefined;
}

/** The caller has locked it, and found it open. */
export const updateSettled = (
  tx: Tx,
  id: bigint,
  by: { how: Settlement; at: Date; proposalId: bigint; reference: string; postedId: bigint | null },
) =>
  execute(tx)`
    update trading.statement_finding set state = ${by.how}, closed_at = ${by.at}, proposal_id = ${by.proposalId}, reference = ${by.reference},
      posted_id = ${by.postedId}::bigint
    where id = ${id}`;

/** Fills of an order of ours that two operators settled to book, although they are far from the mark. */
export const listConfirmedFills = (db: Db, symbol: string, orderId: string | null) =>
  listRows(db)<{ readonly tradeId: string; readonly quantity: string; readonly cost: string }>`
    select l.line_id as "tradeId", l.quantity::text, l.cost::text
    from trading.statement_finding f join trading.statement_line l on l.id = f.line_id
    where f.state = 'booked' and l.kind = 'fill' and l.symbol = ${symbol} and l.order_id = ${orderId}`;

export type ImportRow = NewImport & { readonly id: bigint; readonly added: bigint; readonly matched: bigint };

/** The latest imports, newest first. */
export const listImports = (db: Db, limit: number) =>
  listRows(db)<ImportRow>`
    select i.id, i.exchange, i.covered_from as "from", i.covered_to as "to", i.imported_at as at, i.line_count as lines,
      (select count(*) from trading.statement_line l where l.import_id = i.id) as added,
      (select count(*) from trading.statement_match m where m.import_id = i.id) as matched
    from trading.statement_import i order by i.id desc limit ${limit}`;

/** The current mark of an asset; null without one. */
export const getMark = (tx: Tx, symbol: string) =>
  getValue(tx)<string | null>`select a.price::text from ${assetMarks} as a where a.symbol = ${symbol}`;
