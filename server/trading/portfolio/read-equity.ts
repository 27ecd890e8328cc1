import { toDollars } from '#contract/money.ts';
import type { Portfolio } from '#contract/trading/portfolio.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listOutsideMovements } from '#server/ledger/index.ts';
import { parsePrice } from '../core/fill-price.ts';
import { measureDrawdown } from '../core/portfolio/drawdown.ts';
import { putInAt } from '../core/portfolio/put-in.ts';
import type { Quotes } from '../orders/show-trade.ts';
import { type EquityPoint, listEquity } from './portfolio-sql.ts';
import { readHeldLine } from './read-held-line.ts';

/** A year of sessions: what a chart can show. Drawdowns are those of the whole life of the account. */
const POINTS_SHOWN = 366;

/**
 * One point a session, and `now` at the marks of now, each beside the money put in and what holding it would have given.
 *
 * @param db the database of the transaction
 */
export async function readEquity(
  db: Db,
  tx: Tx,
  memberId: bigint,
  now: EquityPoint,
  quotes: Quotes,
): Promise<Pick<Portfolio, 'equity' | 'drawdown'>> {
  const [points, movements] = await Promise.all([listEquity(tx, memberId), listOutsideMovements(tx, memberId)]);
  const all = [...points, now];
  const putIn = putInAt(
    movements,
    all.map(({ at }) => at),
  );
  const fallen = measureDrawdown(all.map((point, index) => ({ ...point, putIn: putIn[index] as bigint })));
  const shown = Math.min(all.length, POINTS_SHOWN + 1);
  const held = await readHeldLine(db, tx, {
    movements,
    instants: all.slice(-shown).map(({ at }) => at),
    marks: new Map([...quotes].map(([symbol, { mark }]) => [symbol, parsePrice(mark)])),
  });
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

const dollarsOrNull = (micros: bigint | null): number | null => (micros === null ? null : toDollars(micros));
