import assert from 'node:assert';
import { actingAs, listPostedSince, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { namesAt } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { type BookedTransfer, type Booking, matchStatement, type OpenLine } from '../core/execution/match-statement.ts';
import { openVenue } from '../execution/venue-ccxt.ts';
import { type StatementLine, type Venue, VenueFault } from '../execution/venue-port.ts';
import { findCurrentTerms } from '../session/session-sql.ts';
import {
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
  updateAsked,
  updateFault,
} from './statement-sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A statement begins so long before the last one ended: what came late, and transfers that were under way. */
const OVERLAP_MS = 3 * DAY_MS;
/** The first one reaches back so far at most: exchanges keep three months. */
const FIRST_MS = 80 * DAY_MS;
/** A fill may be listed so much later than it was made. */
const FILLS_LATE_MS = HOUR_MS;
/** A transfer may arrive, or be recorded, so much later. */
const TRANSFERS_LATE_MS = 3 * DAY_MS;
/** After a failure. Whoever asks is not kept waiting. */
const RETRY_MS = 10 * 60_000;

/** ccxt's name of the exchange. */
export function exchangeOf({ config }: Pick<Context, 'config'>): string {
  const { id } = config.market.exchange;
  assert(id, 'VENUE=ccxt names an exchange');
  return id;
}

/** Asks for a statement soon. Refuses `not_found` where no exchange is traded at. */
export async function askForStatement({ db, config, now }: Context, actor: OperatorActor): Promise<void> {
  if (config.venue !== 'ccxt') throw new Refused('not_found');
  await inTransaction(db, async (tx) => {
    await updateAsked(tx, now());
    await writeAudit(tx, { ...actingAs(actor), action: 'statement.import', subject: 'statement' });
  });
}

/**
 * Job: imports the exchange's statement once after each session, when its bonus run is done, and whenever an operator asked, but never
 * in a session. What the exchange does not say, or cannot be true, is shown to operators and asked again ten minutes later; nothing of
 * it is stored.
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
    await updateFault(context.db, { words: error.message, at: context.now() });
  }
}

async function isDue(context: Context, isDistributed: (day: string) => Promise<boolean>): Promise<boolean> {
  const { db, now } = context;
  // Its many calls would hold up orders, which share the exchange's limits with them.
  const { state } = (await findCurrentTerms(db)) ?? {};
  if (state === 'open' || state === 'settling') return false;
  const { askedAt, faultAt } = await findStatementState(db);
  const { to } = await getCoverage(db, exchangeOf(context));
  const isAfter = (at: Date | null, other: Date | null) => at !== null && (other === null || at > other);
  if (isAfter(askedAt, to) && isAfter(askedAt, faultAt)) return true;
  if (faultAt !== null && now().getTime() < faultAt.getTime() + RETRY_MS) return false;
  if (isAfter(askedAt, to)) return true;
  const last = await findLastSettled(db);
  return last !== undefined && isAfter(last.settledAt, to) && (await isDistributed(last.day));
}

/**
 * Reads what the exchange says happened since shortly before the last statement ended, stores what is new, and matches it and what was
 * open before with our bookings. One transaction, after everything was read: killed anywhere, the next call begins anew, and what an
 * earlier one stored is not stored again.
 *
 * @throws VenueFault when the exchange does not respond, or says what cannot be
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
  const earlier = (at: Date, ms: number) => at.getTime() - ms;
  if (to !== null && from !== null) return new Date(Math.max(earlier(to, OVERLAP_MS), from.getTime()));
  // What was booked before another exchange's last statement is no business of this one.
  if (lastTo !== null) return new Date(Math.max(lastTo.getTime(), earlier(now, FIRST_MS)));
  const [fill, [move]] = [await findFirstFill(db), await listMoves(db, new Date(earlier(now, FIRST_MS)))];
  const first = Math.min(fill?.getTime() ?? now.getTime(), move?.at.getTime() ?? now.getTime());
  return new Date(Math.max(first - OVERLAP_MS, earlier(now, FIRST_MS)));
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
  await insertMatches(tx, { importId, at }, matched);
  await insertFindings(tx, { exchange, at }, [
    ...differing.map((pair) => ({ kind: 'differs' as const, ...pair })),
    ...unmatched.filter((line) => !sold.has(paymentOf(line))).map((line) => ({ kind: 'unmatched' as const, line })),
    ...missing.filter((booking) => isOverdue(booking, to)).map((booking) => ({ kind: 'missing' as const, booking })),
  ]);
  await updateFault(tx, undefined);
}

/** Payments that brought Bitcoin which two operators sell there: their arrival is no dollars, and no question. */
async function listSoldPayments(tx: Tx, since: Date): Promise<ReadonlySet<string | undefined>> {
  const rows = await listPostedSince<{ kind: string; transaction: string }>(tx, 'treasury', since);
  const sales = rows.filter(({ payload }) => payload.kind === 'coin_sale');
  return new Set(sales.map(({ payload }) => payload.transaction.trim().toLowerCase()));
}

const paymentOf = ({ kind, transaction }: OpenLine): string | undefined =>
  kind === 'transfer_in' ? transaction?.trim().toLowerCase() : undefined;

/** Whether a statement that reaches so far should have it. */
const isOverdue = ({ kind, at }: Booking, to: Date): boolean =>
  at.getTime() < to.getTime() - (kind === 'fill' ? FILLS_LATE_MS : TRANSFERS_LATE_MS);

/** Ours that are in no statement yet, from what could not be missing when the one before was compared. */
async function listBookings(tx: Tx, { exchange, from, to }: Period, first: Date): Promise<Booking[]> {
  const since = new Date(Math.max(first.getTime(), from.getTime() - TRANSFERS_LATE_MS));
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

/** Treasury moves to the exchange and from it, oldest first; their payload is as `server/solvency/treasury` proposes it. */
async function listMoves(db: Context['db'] | Tx, since: Date): Promise<BookedTransfer[]> {
  type Payload = { readonly kind: string; readonly amountMicros: string; readonly transaction: string };
  const moves = await listPostedSince<Payload>(db, 'treasury', since);
  return moves.flatMap(({ payload: { kind, amountMicros, transaction }, resultId, endedAt }) => {
    if ((kind !== 'venue_fund' && kind !== 'venue_return') || resultId === null || endedAt === null) return [];
    const direction = kind === 'venue_fund' ? 'transfer_in' : 'transfer_out';
    return [{ kind: direction, transferId: resultId, at: endedAt, amountMicros: BigInt(amountMicros), transaction }];
  });
}
