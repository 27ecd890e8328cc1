import type { Db, Tx } from '#server/db/connect.ts';
import { listPricesAt } from '#server/market/index.ts';
import { parsePrice } from '../core/fill-price.ts';
import { heldLine, type PricesAt } from '../core/portfolio/held-line.ts';
import type { Movement } from '../core/portfolio/put-in.ts';
import { KeptAnswers } from './kept-answers.ts';

/** A live source may still fill in candles it missed; those of more than a day ago stay as they are. */
const MAY_CHANGE_MS = 24 * 3_600_000;
/** Sessions are alike for all members; ten years of them, and some movements. */
const INSTANTS_KEPT = 5000;
const kept = new KeptAnswers<number, PricesAt>(INSTANTS_KEPT);

const noPrices: PricesAt = new Map();

/**
 * What the money put in would be worth at each instant if it had simply been held (`core/held-line.ts`); the last instant is
 * now, at the marks of now, because candles know of the last full quarter of an hour only.
 */
export async function readHeldLine(
  db: Db,
  tx: Tx,
  line: { readonly movements: readonly Movement[]; readonly instants: readonly Date[]; readonly marks: PricesAt },
): Promise<(bigint | null)[]> {
  const { movements, instants, marks } = line;
  const now = instants.at(-1);
  const past = [...movements.map(({ marketAt }) => marketAt), ...instants.slice(0, -1)];
  const prices = await readPrices(db, tx, past, (now?.getTime() ?? 0) - MAY_CHANGE_MS);
  return heldLine(movements, instants, (at) => (at === now ? marks : (prices.get(at.getTime()) ?? noPrices)));
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
    const known = kept.find(db, at.getTime());
    if (known === undefined) unknown.push(at);
    else prices.set(at.getTime(), known);
  }
  const found = Map.groupBy(await listPricesAt(tx, unknown), ({ at }) => at.getTime());
  for (const [atMs, rows] of found) {
    const pricesThen = new Map(rows.map(({ symbol, price }) => [symbol, parsePrice(price)]));
    prices.set(atMs, pricesThen);
    if (atMs < keptUntilMs) kept.keep(db, atMs, pricesThen);
  }
  return prices;
}
