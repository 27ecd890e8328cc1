import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, getValue, listRows, listValues } from '#server/db/rows.ts';
import type { BookedFill, Booking, OpenLine, Pair } from '../core/execution/match-statement.ts';
import type { StatementLine } from '../execution/venue-port.ts';

export type StatementState = {
  readonly askedAt: Date | null;
  readonly fault: string | null;
  readonly faultAt: Date | null;
};

const stateColumns = sql`asked_at as "askedAt", fault, fault_at as "faultAt" from trading.statement`;

export const findStatementState = (db: Db) => getRow(db)<StatementState>`select ${stateColumns}`;

/** Serializes imports. */
export const lockStatement = (tx: Tx) => getRow(tx)<StatementState>`select ${stateColumns} for update`;

export const updateRequested = (db: Db, at: Date) =>
  execute(db)`update trading.statement set asked_at = greatest(asked_at, ${at}::timestamptz)`;

export const updateFault = (db: Db, fault: { readonly message: string; readonly at: Date } | undefined) =>
  execute(db)`
    update trading.statement set fault = ${fault?.message ?? null}::text, fault_at = ${fault?.at ?? null}::timestamptz`;

/** The period covered by an exchange's statements; `lastTo` across all exchanges. Null before the first. */
export type Coverage = { readonly from: Date | null; readonly to: Date | null; readonly lastTo: Date | null };

export const getCoverage = (db: Db, exchange: string) =>
  getRow(db)<Coverage>`
    select min(covered_from) filter (where exchange = ${exchange}) as "from", max(covered_to) filter (where exchange = ${exchange}) as "to",
      max(covered_to) as "lastTo"
    from trading.statement_import`;

/** When the exchange first filled an order of ours; null before. */
export const findFirstFill = (db: Db): Promise<Date | null> =>
  getValue(db)<Date | null>`select min(filled_at) as at from trading.batch_fill`;

/** The latest settled session, and when it was settled. */
export const findLastSettled = (db: Db) =>
  findRow(db)<{ readonly day: string; readonly settledAt: Date }>`
    select day::text, settled_at as "settledAt" from trading.session where state = 'settled' order by day desc limit 1`;

export type NewImport = {
  readonly exchange: string;
  readonly from: Date;
  readonly to: Date;
  readonly at: Date;
  readonly lines: number;
};

export const insertImport = (tx: Tx, { exchange, from, to, at, lines }: NewImport): Promise<bigint> =>
  getValue(tx)<bigint>`
      insert into trading.statement_import (exchange, covered_from, covered_to, imported_at, line_count)
      values (${exchange}, ${from}, ${to}, ${at}, ${lines}) returning id`;

/** Rows per SQL statement. */
const CHUNK = 1000;

/** Stores new lines; known ones are skipped. */
export async function insertLines(
  tx: Tx,
  { importId, exchange }: { readonly importId: bigint; readonly exchange: string },
  lines: readonly StatementLine[],
): Promise<void> {
  for (let from = 0; from < lines.length; from += CHUNK)
    await execute(tx)`
      insert into trading.statement_line (import_id, exchange, kind, pair, line_id, at, symbol, coin, order_id, client_order_id, side,
        quantity, cost, fee, fee_coin, amount, transaction, word)
      select ${importId}::bigint, ${exchange}, l.kind, l.pair, l.id, l.at, l.symbol, l.coin, l."orderId", l."clientOrderId", l.side,
        l.quantity::numeric, l.cost::numeric, l.fee::numeric, l."feeCoin", l.amount::numeric, l.transaction, l.word
      from jsonb_to_recordset(${JSON.stringify(lines.slice(from, from + CHUNK))}::jsonb)
        as l(kind text, pair text, id text, at timestamptz, symbol text, coin text, "orderId" text, "clientOrderId" text, side text,
          quantity text, cost text, fee text, "feeCoin" text, amount text, transaction text, word text)
      on conflict do nothing`;
}

/** Unmatched lines: those of this import, and earlier ones not booked since. A fill settled as booked may be a batch's. */
export const listOpenLines = (tx: Tx, exchange: string, importId: bigint) =>
  listRows(tx)<OpenLine>`
    select l.id, l.kind, l.at, l.line_id as "lineId", l.symbol, l.order_id as "orderId", l.side, l.quantity::text, l.cost::text,
      l.fee::text, l.fee_coin as "feeCoin", l.coin, l.amount::text, l.transaction, coalesce(f.state = 'explained', false) as "isExplained"
    from trading.statement_line l left join trading.statement_finding f on f.line_id = l.id
    where l.id in (
        select id from trading.statement_line where import_id = ${importId}
        union all
        select line_id from trading.statement_finding where exchange = ${exchange} and line_id is not null and state in ('open', 'explained', 'booked'))
      and (coalesce(f.state in ('open', 'explained'), true) or f.state = 'booked' and l.kind = 'fill')
      and not exists (select from trading.statement_match m where m.line_id = l.id)`;

const fillColumns = sql`
  'fill' as kind, b.id as "batchId", f.exchange_trade_id as "tradeId", f.filled_at as at, b.symbol, b.exchange_order_id as "orderId", b.side,
  f.quantity::text, f.cost::text, f.fee_quantity::text as fee, f.fee_coin as "feeCoin"`;

/** Fills without a line, of the period and missing before. Coins sold elsewhere never appear in a statement. */
export const listOpenFills = (tx: Tx, exchange: string, from: Date, to: Date) =>
  listRows(tx)<BookedFill>`
    select ${fillColumns} from trading.batch_fill f join trading.batch b on b.id = f.batch_id
    where b.elsewhere_id is null
      and (f.filled_at >= ${from} and f.filled_at < ${to}
        or (f.batch_id, f.exchange_trade_id) in (
          select batch_id, exchange_trade_id from trading.statement_finding
          where exchange = ${exchange} and batch_id is not null and state in ('open', 'explained')))
      and not exists (
        select from trading.statement_match m where m.batch_id = f.batch_id and m.exchange_trade_id = f.exchange_trade_id)`;

/** Which of these treasury moves are matched with a statement line. */
export const listMatchedTransfers = (tx: Tx, ids: readonly bigint[]) =>
  listValues(tx)<bigint>`
    select transfer_id from trading.statement_match where transfer_id = any(${ids.map(String)}::text[]::bigint[])`;

type Keys = { batchId: string | null; tradeId: string | null; transferId: string | null };
const keysOf = (booking: Booking | undefined): Keys => {
  if (booking === undefined) return { batchId: null, tradeId: null, transferId: null };
  return booking.kind === 'fill'
    ? { batchId: String(booking.batchId), tradeId: booking.tradeId, transferId: null }
    : { batchId: null, tradeId: null, transferId: String(booking.transferId) };
};

/** Stores matches, and closes findings about either side. */
export async function insertMatches(
  tx: Tx,
  { importId, at }: { readonly importId: bigint; readonly at: Date },
  pairs: readonly Pair[],
): Promise<void> {
  for (let from = 0; from < pairs.length; from += CHUNK) {
    const rows = pairs
      .slice(from, from + CHUNK)
      .map(({ line, booking }) => ({ line: String(line.id), ...keysOf(booking) }));
    await execute(tx)`
      with pair as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as p(line bigint, "batchId" bigint, "tradeId" text, "transferId" bigint)),
      stored as (
        insert into trading.statement_match (line_id, batch_id, exchange_trade_id, transfer_id, import_id)
        select line, "batchId", "tradeId", "transferId", ${importId}::bigint from pair)
      update trading.statement_finding f set state = 'matched', closed_at = ${at}
      from pair p
      where f.state = 'open'
        and (f.line_id = p.line or f.batch_id = p."batchId" and f.exchange_trade_id = p."tradeId" or f.transfer_id = p."transferId")`;
  }
}

/** Closes findings about lines that need no booking. */
export const closeFindings = (tx: Tx, lines: readonly OpenLine[], at: Date) =>
  execute(tx)`
    update trading.statement_finding set state = 'matched', closed_at = ${at}
    where state = 'open' and line_id = any(${lines.map(({ id }) => String(id))}::text[]::bigint[])`;

export type NewFinding = {
  readonly kind: 'unmatched' | 'differs' | 'missing';
  readonly line?: OpenLine;
  readonly booking?: Booking;
};

/** Stores new findings; a known finding that now differs is updated. */
export async function insertFindings(
  tx: Tx,
  { exchange, at }: { readonly exchange: string; readonly at: Date },
  findings: readonly NewFinding[],
): Promise<void> {
  for (let from = 0; from < findings.length; from += CHUNK) {
    const rows = findings.slice(from, from + CHUNK).map(({ kind, line, booking }) => ({
      kind,
      line: line === undefined ? null : String(line.id),
      ...keysOf(booking),
    }));
    await execute(tx)`
      with found as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as p(kind text, line bigint, "batchId" bigint, "tradeId" text, "transferId" bigint)),
      known as materialized (
        select p.line, p."batchId", p."tradeId", p."transferId", p.kind, min(f.id) as id, count(*) as findings
        from found p join trading.statement_finding f
          on f.line_id = p.line or f.batch_id = p."batchId" and f.exchange_trade_id = p."tradeId" or f.transfer_id = p."transferId"
        group by 1, 2, 3, 4, 5),
      changed as (
        update trading.statement_finding f
        set kind = 'differs', line_id = k.line, batch_id = k."batchId", exchange_trade_id = k."tradeId", transfer_id = k."transferId"
        from known k where f.id = k.id and k.kind = 'differs' and k.findings = 1 and f.state = 'open' and f.kind <> 'differs')
      insert into trading.statement_finding (exchange, kind, line_id, batch_id, exchange_trade_id, transfer_id, found_at)
      select ${exchange}, p.kind, p.line, p."batchId", p."tradeId", p."transferId", ${at}
      from found p
      where not exists (
        select from known k
        where k.line is not distinct from p.line and k."batchId" is not distinct from p."batchId"
          and k."tradeId" is not distinct from p."tradeId" and k."transferId" is not distinct from p."transferId")
      order by coalesce(p.line, 0), p."batchId", p."tradeId", p."transferId"`;
  }
}

/** The number of open findings, and when the oldest was found. */
export const sumOpenFindings = (db: Db) =>
  getRow(db)<{ readonly count: bigint; readonly oldestAt: Date | null }>`
    select count(*) as count, min(found_at) as "oldestAt" from trading.statement_finding where state = 'open'`;
