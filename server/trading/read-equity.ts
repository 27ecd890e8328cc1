import { toDollars } from '#contract/money.ts';
import type { Portfolio } from '#contract/portfolio.ts';
import type { Db } from '#server/db/connect.ts';
import { listOutsideMovements } from '#server/ledger/index.ts';
import { listPricesAt } from '#server/market/index.ts';
import { measureDrawdown } from './core/drawdown.ts';
import { parsePrice } from './core/fill-price.ts';
import { heldLine, type PricesAt } from './core/held-line.ts';
import { type Movement, putInAt } from './core/put-in.ts';
import { type EquityPoint, listEquity } from './portfolio-sql.ts';

/** A year of sessions: what a chart can show. Drawdowns are those of the whole life of the account. */
const POINTS_SHOWN = 366;

type Marks = ReadonlyMap<string, { readonly mark: string }>;

/** One point a session, and `now` at the marks of now, each beside the money put in and what holding it would have given. */
export async function readEquity(
  db: Db,
  memberId: bigint,
  now: EquityPoint,
  marks: Marks,
): Promise<Pick<Portfolio, 'equity' | 'drawdown'>> {
  const [points, movements] = await Promise.all([listEquity(db, memberId), listOutsideMovements(db, memberId)]);
  const all = [...points, now];
  const putIn = putInAt(
    movements,
    all.map(({ at }) => at),
  );
  const fallen = measureDrawdown(all.map((point, index) => ({ ...point, putIn: putIn[index] as bigint })));
  const shown = Math.min(all.length, POINTS_SHOWN + 1);
  const held = await readHeld(db, movements, all.slice(-shown), marks);
  const first = all.length - shown;
  return {
    equity: all.slice(first).map(({ at, value }, index) => ({
      time: at.toISOString(),
      value: toDollars(value),
      put_in: toDollars(putIn[first + index] as bigint),
      held: dollarsOrNull(held[index] ?? null),
      drawdown: toDollars(fallen.amounts[first + index] as bigint),
    })),
    drawdown: {
      now: { amount: toDollars(fallen.now.amount), percent: fallen.now.percent },
      deepest_amount: {
        amount: toDollars(fallen.deepestAmount.amount),
        at: fallen.deepestAmount.at?.toISOString() ?? null,
      },
      deepest_percent: { ...fallen.deepestPercent, at: fallen.deepestPercent.at?.toISOString() ?? null },
    },
  };
}

/** The last point is the one of now, at the marks of now: candles know of the last quarter of an hour only. */
async function readHeld(
  db: Db,
  movements: readonly Movement[],
  points: readonly EquityPoint[],
  marks: Marks,
): Promise<(bigint | null)[]> {
  const instants = points.map(({ at }) => at);
  const asked = new Map([...movements.map(({ marketAt }) => marketAt), ...instants].map((at) => [at.getTime(), at]));
  const prices = new Map<number, Map<string, bigint>>();
  for (const { at, symbol, price } of await listPricesAt(db, [...asked.values()])) {
    const known = prices.get(at.getTime()) ?? new Map<string, bigint>();
    prices.set(at.getTime(), known.set(symbol, parsePrice(price)));
  }
  const now = points.at(-1);
  const pricesNow: PricesAt = new Map([...marks].map(([symbol, { mark }]) => [symbol, parsePrice(mark)]));
  return heldLine(movements, instants, (at) =>
    at === now?.at ? pricesNow : (prices.get(at.getTime()) ?? new Map<string, bigint>()),
  );
}

const dollarsOrNull = (micros: bigint | null): number | null => (micros === null ? null : toDollars(micros));
