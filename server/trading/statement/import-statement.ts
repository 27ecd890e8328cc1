import assert from 'node:assert';
import { actingAs, listPostedSince, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { coinAt, namesAt } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { type BookedTransfer, type Booking, matchStatement, type OpenLine } from '../core/execution/match-statement.ts';
import { openVenue } from '../execution/venue-ccxt.ts';
import { type StatementLine, type Venue, VenueFault } from '../execution/venue-port.ts';
import { findCurrentTerms } from '../session/session-sql.ts';
import {
  closeFindings,
  findFirstFill,
  findLastSettled,
  findStatementState,
  getCoverage,
  insertFindings,
  insertImport,
  insertLines,
  insertMatches,
  listMatchedTransfers,
  listOpenFills,
  listOpenLines,
  lockStatement,
  updateFault,
  updateRequested,
} from './statement-sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Each statement overlaps the previous one by this much, for late entries and transfers in transit. */
const OVERLAP_MS = 3 * DAY_MS;
/** Maximum reach of the first statement: exchanges keep three months. */
const MAX_FIRST_REACH_MS = 80 * DAY_MS;
/** A fill may be listed this long after it was made. */
const MAX_FILL_DELAY_MS = HOUR_MS;
/** A transfer may arrive, or be recorded, this long afterwards. */
const MAX_TRANSFER_DELAY_MS = 3 * DAY_MS;
/** Back-off after a failure. A request by an operator skips it. */
const RETRY_MS = 10 * 60_000;

/** ccxt's name of the exchange. */
export function exchangeOf({ config }: Pick<Context, 'config'>): string {
  const { id } = config.market.exchange;
  assert(id, 'VENUE=ccxt names an exchange');
  return id;
}

/** Requests a statement import. Refuses `not_found` unless trades execute at an exchange. */
export async function requestImport({ db, config, now }: Context, actor: OperatorActor): Promise<void> {
  if (config.venue !== 'ccxt') throw new Refused('not_found');
  await inTransaction(db, async (tx) => {
    await updateRequested(tx, now());
    await writeAudit(tx, { ...actingAs(actor), action: 'statement.import', subject: 'statement' });
  });
}

/**
 * Job: imports the exchange's statement once after each session, when its bonus run is done, and whenever an operator
 * requested it, but never while one is open. If the exchange fails or its statement is implausible, operators see the
 * fault, nothing is stored, and the import is retried ten minutes later.
 *
 * @param isDistributed whether a session's bonus run is done
 */
export async function importWhenDue(
  context: Context,
  isDistributed: (day: string) => Promise<boolean>,
  given?: Venue,
): Promise<void> {
  if (context.config.venue !== 'ccxt' || !(await isDue(context, isDistributed))) return;
  try {
    await importStatement(context, given ?? (await openVenue(context)));
  } catch (error) {
    if (!(error instanceof VenueFault)) throw error;
    await updateFault(context.db, { message: error.message, at: context.now() });
  }
}

async function isDue(context: Context, isDistributed: (day: string) => Promise<boolean>): Promise<boolean> {
  const { db, now } = context;
  // The import makes many calls, which would delay orders: both share the exchange's rate limits.
  const { state } = (await findCurrentTerms(db)) ?? {};
  if (state === 'open') return false;
  const { askedAt, faultAt } = await findStatementState(db);
  const { to } = await getCoverage(db, exchangeOf(context));
  const isAfter = (at: Date | null, other: Date | null) => at !== null && (other === null || at > other);
  if (isAfter(askedAt, to) && isAfter(askedAt, faultAt)) return true;
  if (faultAt !== null && now().getTime() < faultAt.getTime() + RETRY_MS) return false;
  if (isAfter(askedAt, to)) return true;
  if (state === 'settling') return false;
  const last = await findLastSettled(db);
  return last !== undefined && isAfter(last.settledAt, to) && (await isDistributed(last.day));
}

/**
 * Reads the exchange's statement from shortly before the end of the last one, stores new lines, and matches them and
 * before unmatched lines with our bookings. All of it is one transaction after the last read, so a crash loses
 * nothing: the next call starts over, and stored lines are not stored again.
 *
 * @throws VenueFault when the exchange does not respond, or its statement is implausible
 */
export async function importStatement(context: Context, venue: Venue): Promise<void> {
  const exchange = exchangeOf(context);
  const at = context.now();
  const from = await findStart(context, exchange, at);
  const lines = await venue.listStatement(from, at);
  await inTransaction(context.db, (tx) => storeStatement(tx, { exchange, from, to: at, at: context.now() }, lines));
}

async function findStart({ db }: Context, exchange: string, now: Date): Promise<Date> {
  const { to, lastTo, from } = await getCoverage(db, exchange);
  const before = (at: Date, ms: number) => at.getTime() - ms;
  if (to !== null && from !== null) return new Date(Math.max(before(to, OVERLAP_MS), from.getTime()));
  // Bookings from before the last statement of another exchange do not concern this one.
  if (lastTo !== null) return new Date(Math.max(lastTo.getTime(), before(now, MAX_FIRST_REACH_MS)));
  const [fill, [move]] = [await findFirstFill(db), await listMoves(db, new Date(before(now, MAX_FIRST_REACH_MS)))];
  const first = Math.min(fill?.getTime() ?? now.getTime(), move?.at.getTime() ?? now.getTime());
  return new Date(Math.max(first - OVERLAP_MS, before(now, MAX_FIRST_REACH_MS)));
}

type Period = { readonly exchange: string; readonly from: Date; readonly to: Date; readonly at: Date };

async function storeStatement(tx: Tx, period: Period, lines: readonly StatementLine[]): Promise<void> {
  const { exchange, to, at } = period;
  await lockStatement(tx);
  const importId = await insertImport(tx, { ...period, lines: lines.length });
  await insertLines(tx, { importId, exchange }, lines);
  const { from: first } = await getCoverage(tx, exchange);
  assert(first);
  const { matched, differing, unmatched, missing } = matchStatement(
    await listOpenLines(tx, exchange, importId),
    await listBookings(tx, period, first),
    namesAt(exchange).dollar,
  );
  const sold = await listSoldPayments(tx, first);
  const isArrival = (line: OpenLine) => line.coin === coinAt(exchange, 'btc') && sold.has(paymentOf(line));
  const arrived = unmatched.filter(isArrival);
  await closeFindings(tx, arrived, at);
  await insertMatches(tx, { importId, at }, matched);
  await insertFindings(tx, { exchange, at }, [
    ...differing.map((pair) => ({ kind: 'differs' as const, ...pair })),
    ...unmatched.filter((line) => !arrived.includes(line)).map((line) => ({ kind: 'unmatched' as const, line })),
    ...missing.filter((booking) => isOverdue(booking, to)).map((booking) => ({ kind: 'missing' as const, booking })),
  ]);
  await updateFault(tx, undefined);
}

/** Payments of Bitcoin to the exchange for a sale by two operators: they arrive as coins and need no explanation. */
async function listSoldPayments(tx: Tx, since: Date): Promise<ReadonlySet<string | undefined>> {
  const rows = await listPostedSince<{ kind: string; transaction: string }>(tx, 'treasury', since);
  const sales = rows.filter(({ payload }) => payload.kind === 'coin_sale');
  return new Set(sales.map(({ payload }) => payload.transaction.trim().toLowerCase()));
}

const paymentOf = ({ kind, transaction }: OpenLine): string | undefined =>
  kind === 'transfer_in' ? transaction?.trim().toLowerCase() : undefined;

/** Whether a statement up to this instant should contain the booking. */
const isOverdue = ({ kind, at }: Booking, to: Date): boolean =>
  at.getTime() < to.getTime() - (kind === 'fill' ? MAX_FILL_DELAY_MS : MAX_TRANSFER_DELAY_MS);

/** Bookings not in any statement yet, starting where the previous comparison could still miss entries. */
async function listBookings(tx: Tx, { exchange, from, to }: Period, first: Date): Promise<Booking[]> {
  const since = new Date(Math.max(first.getTime(), from.getTime() - MAX_TRANSFER_DELAY_MS));
  const moves = await listMoves(tx, first);
  const done = new Set(
    await listMatchedTransfers(
      tx,
      moves.map(({ transferId }) => transferId),
    ),
  );
  return [
    ...(await listOpenFills(tx, exchange, since, to)),
    ...moves.filter(({ transferId, at }) => !done.has(transferId) && at < to),
  ];
}

export type TreasuryMove = BookedTransfer & { readonly reference: string };

/** Treasury moves to and from the exchange, oldest first; their payload is defined by `server/solvency/treasury`. */
export async function listMoves(db: Db, since: Date): Promise<TreasuryMove[]> {
  type Payload = { readonly kind: string; readonly amountMicros: string; readonly transaction: string };
  const moves = await listPostedSince<Payload>(db, 'treasury', since);
  return moves.flatMap(({ payload: { kind, transaction, ...amount }, resultId, endedAt, reference }) => {
    if (kind !== 'venue_fund' && kind !== 'venue_return') return [];
    if (resultId === null || endedAt === null || reference === null) return [];
    const direction = kind === 'venue_fund' ? 'transfer_in' : 'transfer_out';
    const amountMicros = BigInt(amount.amountMicros);
    return [{ kind: direction, transferId: resultId, at: endedAt, amountMicros, transaction, reference }];
  });
}
