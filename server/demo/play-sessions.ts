import type { Context } from '#server/context.ts';
import { advanceMarket, getFeed, getMarketTime } from '#server/market/index.ts';
import { closeTrade, followMarket, listTrades, placeTrade } from '#server/trading/index.ts';
import { anikasSessions, type DemoTrade, demoPeople, othersShareOfFunds, othersSymbols } from './people.ts';

const MINUTE_MS = 60_000;
/** A recording is short and is there to be watched: one past session of it, four of a market that never ends. */
const pastSessions = { simulated: 4, replay: 1 } as const;

/**
 * Plays the past sessions at full speed, then enters the present one and stops an hour into it. Hours in which nobody
 * does anything are skipped, with their candles.
 */
export async function playDemoSessions(context: Context, memberIds: ReadonlyMap<string, bigint>): Promise<void> {
  const past = pastSessions[context.config.market.feed];
  for (let session = 0; session < past; session += 1) {
    await placeAll(context, memberIds, session);
    await playWholeSession(context, memberIds);
  }
  await placeAll(context, memberIds, anikasSessions.length - 1);
  const opensAt = await findTodayAt(context, 12, 30);
  await playUntil(context, new Date(opensAt.getTime() + 5 * MINUTE_MS));
  await skipTo(context, new Date(opensAt.getTime() + 60 * MINUTE_MS));
}

async function placeAll(context: Context, memberIds: ReadonlyMap<string, bigint>, session: number): Promise<void> {
  for (const [index, person] of demoPeople.entries()) {
    const memberId = memberIds.get(person.code) as bigint;
    const trades =
      index === 0 ? (anikasSessions[session] ?? []) : [tradeOfOther(index, session, person.depositsDollars[0] ?? 0)];
    for (const trade of trades) {
      await placeTrade(context, memberId, {
        tradeId: trade.symbol,
        amount: trade.dollars,
        wallet_type: trade.wallet ?? 'primary',
      });
    }
  }
}

function tradeOfOther(index: number, session: number, fundsDollars: number): DemoTrade {
  const symbol = othersSymbols[(index + session) % othersSymbols.length] as string;
  return { symbol, dollars: Math.floor(fundsDollars * othersShareOfFunds) };
}

async function playWholeSession(context: Context, memberIds: ReadonlyMap<string, bigint>): Promise<void> {
  const opensAt = await findTodayAt(context, 12, 30);
  const closesAt = await findTodayAt(context, 17, 30);
  await playUntil(context, new Date(opensAt.getTime() + 5 * MINUTE_MS));
  await skipTo(context, new Date(opensAt.getTime() + 150 * MINUTE_MS));
  await closeEarly(context, memberIds);
  await playUntil(context, new Date(opensAt.getTime() + 155 * MINUTE_MS));
  await skipTo(context, new Date(closesAt.getTime() - 2 * MINUTE_MS));
  await playUntil(context, new Date(closesAt.getTime() + 2 * MINUTE_MS));
  for (;;) {
    const { skipTo: next } = await followMarket(context);
    if (next) return skipTo(context, next);
    await playUntil(context, new Date((await getMarketTime(context.db)).getTime() + MINUTE_MS));
  }
}

/** Anika closes some of her trades by hand. */
async function closeEarly(context: Context, memberIds: ReadonlyMap<string, bigint>): Promise<void> {
  const memberId = memberIds.get(demoPeople[0]?.code ?? '') as bigint;
  const early = new Set(
    anikasSessions
      .flat()
      .filter((trade) => trade.closeEarly)
      .map((trade) => trade.symbol),
  );
  const { items } = await listTrades(context.db, { memberId, state: 'open', limit: 10 });
  for (const trade of items)
    if (early.has(trade.symbol)) await closeTrade(context, memberId, BigInt(trade.id), undefined);
}

async function playUntil(context: Context, until: Date): Promise<void> {
  const { speed } = context.config.market;
  for (;;) {
    const leftMs = until.getTime() - (await getMarketTime(context.db)).getTime();
    if (leftMs <= 0 || (await getFeed(context.db, context.config)).ended) return;
    await advanceMarket(context, { elapsedMs: Math.min(1000, leftMs / speed) });
    await followMarket(context);
  }
}

async function skipTo(context: Context, at: Date): Promise<void> {
  await advanceMarket(context, { elapsedMs: 0, skipTo: at });
  await followMarket(context);
}

async function findTodayAt(context: Context, hour: number, minute: number): Promise<Date> {
  const now = await getMarketTime(context.db);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute));
}
