import assert from 'node:assert/strict';
import type { Context } from '#server/context.ts';
import { runMarket } from '#server/income/index.ts';
import { advanceMarket, getFeed, getMarketTime } from '#server/market/index.ts';
import { closeTrade, createPlan, listTrades, placeTrade, redeemPlan } from '#server/trading/index.ts';
import { anikasSessions, type DemoTrade, demoPeople, demoPlans, othersShareOfFunds, othersSymbols } from './people.ts';

const MINUTE_MS = 60_000;
/** Past sessions to play: one of a recording, which is short and meant to be watched; four of the endless simulator. */
const pastSessions = new Map([
  ['simulated', 4],
  ['replay', 1],
]);

/** Skips of the market up to this length keep every price, so that stops and strategies see them all. */
const JUMP_MS = 15 * MINUTE_MS;

/**
 * Plays the past sessions at full speed, then stops an hour into the current one. Plans are created before the first
 * session, and one is redeemed before the current one. The market skips the time between sessions, as always.
 */
export async function playDemoSessions(context: Context, memberIds: ReadonlyMap<string, bigint>): Promise<void> {
  const past = pastSessions.get(context.config.market.feed);
  assert(past !== undefined, 'a live market cannot be played');
  const plans = await createPlans(context, memberIds);
  for (let session = 0; session < past; session += 1) {
    await placeAll(context, memberIds, session);
    await playWholeSession(context, memberIds);
  }
  for (const { memberId, planId } of plans.filter((plan) => plan.redeemed)) await redeemPlan(context, memberId, planId);
  await placeAll(context, memberIds, anikasSessions.length - 1);
  const opensAt = await findTodayAt(context, 12, 30);
  await playUntil(context, new Date(opensAt.getTime() + 60 * MINUTE_MS));
}

type Planned = { readonly memberId: bigint; readonly planId: bigint; readonly redeemed: boolean };

async function createPlans(context: Context, memberIds: ReadonlyMap<string, bigint>): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (const { code, redeemed, ...plan } of demoPlans) {
    const memberId = memberIds.get(code) as bigint;
    const { id } = await createPlan(context, memberId, { wallet_type: 'primary', ...plan });
    planned.push({ memberId, planId: BigInt(id), redeemed: redeemed ?? false });
  }
  return planned;
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
        ...trade.stops,
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
  await playUntil(context, new Date(opensAt.getTime() + 150 * MINUTE_MS));
  await closeEarly(context, memberIds);
  await playUntil(context, new Date(closesAt.getTime() + 2 * MINUTE_MS));
  for (;;) {
    const { skipTo: next } = await runMarket(context);
    if (next) return skipTo(context, next);
    await playUntil(context, new Date((await getMarketTime(context.db)).getTime() + MINUTE_MS));
  }
}

/** Anika closes some of her trades manually. */
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
  for (;;) {
    const nowMs = (await getMarketTime(context.db)).getTime();
    if (nowMs >= until.getTime() || (await getFeed(context)).ended) return;
    await skipTo(context, new Date(Math.min(until.getTime(), nowMs + JUMP_MS)));
  }
}

async function skipTo(context: Context, at: Date): Promise<void> {
  await advanceMarket(context, { elapsedMs: 0, skipTo: at });
  await runMarket(context);
}

async function findTodayAt(context: Context, hour: number, minute: number): Promise<Date> {
  const now = await getMarketTime(context.db);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour, minute));
}
