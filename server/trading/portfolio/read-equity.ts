import { toDollars, toTotal } from '#contract/money.ts';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listMemberMovements, type MemberMovement } from '#server/ledger/index.ts';
import { listPricesAt } from '#server/market/index.ts';
import { buyAndHold, type Movement, netDepositsAt, type PricesAt } from '../core/portfolio/buy-and-hold.ts';
import { measureDrawdown } from '../core/portfolio/drawdown.ts';
import { parsePrice } from '../core/price.ts';
import type { Quotes } from '../orders/show-trade.ts';
import { LruCache } from './lru-cache.ts';
import { type BookedPoint, type EquityPoint, listEquity } from './portfolio-sql.ts';

/** A year of sessions, the most a chart can show. Drawdowns cover the whole life of the account. */
const POINTS_SHOWN = 366;

/**
 * One point per session and one for now, each with net deposits and buy and hold.
 *
 * @param db the database of the transaction, which keys the cache
 */
export async function readEquity(
  db: Db,
  tx: Tx,
  memberId: bigint,
  now: EquityPoint,
  quotes: Quotes,
): Promise<Pick<Portfolio, 'equity' | 'drawdown'>> {
  const booked = await listEquity(tx, memberId);
  const moved = await listMemberMovements(tx, memberId);
  const all = [...asOfClose(booked, moved), now];
  const movements = moved.filter(({ isOutside }) => isOutside);
  const netDeposits = netDepositsAt(
    movements,
    all.map(({ at }) => at),
  );
  const drawdown = measureDrawdown(
    all.map((point, index) => ({ ...point, netDeposits: netDeposits[index] as bigint })),
  );
  const shown = Math.min(all.length, POINTS_SHOWN + 1);
  const held = await readBuyAndHold(db, tx, {
    movements,
    instants: all.slice(-shown).map(({ at }) => at),
    marks: new Map([...quotes].map(([symbol, { mark }]) => [symbol, parsePrice(mark)])),
  });
  const first = all.length - shown;
  return {
    equity: all.slice(first).map(({ at, value }, index) => ({
      time: at.toISOString(),
      value: toDollars(value),
      put_in: toTotal(netDeposits[first + index] as bigint),
      held: totalOrNull(held[index] ?? null),
      drawdown: toTotal(drawdown.amounts[first + index] as bigint),
    })),
    drawdown: {
      now: { amount: toTotal(drawdown.now.amount), percent: drawdown.now.percent },
      deepest_amount: {
        amount: toTotal(drawdown.deepestAmount.amount),
        at: drawdown.deepestAmount.at?.toISOString() ?? null,
      },
      deepest_percent: { ...drawdown.deepestPercent, at: drawdown.deepestPercent.at?.toISOString() ?? null },
    },
  };
}

/**
 * Removes deposits and withdrawals between the close and a late settlement from a session's point: they count from
 * their own instant on, as in net deposits. Both lists are in time order.
 *
 * Closed at 17:30 and booked at 17:43 with 1 500, of which 500 were deposited at 17:35: 1 000.
 */
export function asOfClose(booked: readonly BookedPoint[], movements: readonly MemberMovement[]): EquityPoint[] {
  let next = 0;
  return booked.map(({ at, value, bookedIn }, index) => {
    const isBooked = bookedIn === null ? () => false : committedIn(bookedIn);
    const following = booked[index + 1]?.at;
    let late = 0n;
    for (
      let movement = movements[next];
      movement !== undefined && (following === undefined || movement.marketAt <= following);
      movement = movements[next]
    ) {
      if (movement.marketAt > at && isBooked(movement.tx)) late += movement.signedMicros;
      next += 1;
    }
    return { at, value: value - late };
  });
}

/**
 * Whether a snapshot includes a transaction: `10:20:10,14` includes all below 20 except 10 and 14, then in progress.
 */
function committedIn(snapshot: string): (tx: bigint) => boolean {
  const [, end = '', under = ''] = snapshot.split(':');
  const underWay = new Set(under.split(','));
  return (tx) => tx < BigInt(end) && !underWay.has(tx.toString());
}

const totalOrNull = (micros: bigint | null): number | null => (micros === null ? null : toTotal(micros));

/** A live source may still fill in missing candles for one day; older ones no longer change. */
const MAY_CHANGE_MS = 24 * 3_600_000;
/** Sessions are the same for all members: enough for ten years of them, and some movements. */
const MAX_CACHED_INSTANTS = 5000;
const cache = new LruCache<number, PricesAt>(MAX_CACHED_INSTANTS);

const noPrices: PricesAt = new Map();

/**
 * The buy-and-hold benchmark at each instant (`buyAndHold`). The last instant is now, at current marks, because candles
 * end at the last quarter of an hour.
 */
async function readBuyAndHold(
  db: Db,
  tx: Tx,
  line: { readonly movements: readonly Movement[]; readonly instants: readonly Date[]; readonly marks: PricesAt },
): Promise<(bigint | null)[]> {
  const { movements, instants, marks } = line;
  const now = instants.at(-1);
  const past = [...movements.map(({ marketAt }) => marketAt), ...instants.slice(0, -1)];
  const prices = await readPrices(db, tx, past, (now?.getTime() ?? 0) - MAY_CHANGE_MS);
  return buyAndHold(movements, instants, (at) => (at === now ? marks : (prices.get(at.getTime()) ?? noPrices)));
}

async function readPrices(
  db: Db,
  tx: Tx,
  instants: readonly Date[],
  keptUntilMs: number,
): Promise<ReadonlyMap<number, PricesAt>> {
  const prices = new Map<number, PricesAt>();
  const unknown: Date[] = [];
  for (const at of new Map(instants.map((instant) => [instant.getTime(), instant])).values()) {
    const known = cache.get(db, at.getTime());
    if (known === undefined) unknown.push(at);
    else prices.set(at.getTime(), known);
  }
  const found = Map.groupBy(await listPricesAt(tx, unknown), ({ at }) => at.getTime());
  for (const [atMs, rows] of found) {
    const pricesThen = new Map(rows.map(({ symbol, price }) => [symbol, parsePrice(price)]));
    prices.set(atMs, pricesThen);
    if (atMs < keptUntilMs) cache.set(db, atMs, pricesThen);
  }
  return prices;
}
