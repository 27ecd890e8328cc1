import { onTestFinished } from 'vitest';
import type { Context } from '#server/context.ts';
import { getBalances } from '#server/ledger/index.ts';
import { createPlan, followMarket, getPlan, listTrades, placeTrade } from '#server/trading/index.ts';
import type { NewTradeInput } from '#server/trading/orders/place-trade.ts';
import type { NewPlanInput } from '#server/trading/plans/create-plan.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { type MadeRecording, playUntil } from '#test/recorded/recorded-market.ts';
import { giveFunds, signUp } from './members.ts';

/** The market day of most tests. */
export const DAY = '2026-03-04';

/** A recording and how it is played; by default prices stay at 100. */
export type TradingMarket = Partial<MadeRecording> & {
  /** Market time at the start; by default ten minutes before an opening. */
  readonly start?: string;
  readonly speed?: number;
  /** What each member has in the primary wallet; no deposit at 0. */
  readonly dollars?: number;
};

export type TradingWorld = Awaited<ReturnType<typeof openTradingWorld>>;

/** A world on its own recording with one member, Ann, who has 1 000 dollars by default. */
export async function openTradingWorld(
  { start = `${DAY}T12:20:00Z`, speed = 600, dollars = 1000, ...recording }: TradingMarket = {},
  adapt: (context: Context) => Context = (context) => context,
) {
  const world = await bootRecorded({ start, speed, ...recording });
  const context = adapt(world.context);
  const member = async (name = 'Ann', ownDollars = dollars) => {
    const signedUp = await signUp(context, { name });
    if (ownDollars > 0) await giveFunds(context, signedUp.memberId, BigInt(ownDollars) * 1_000_000n);
    return signedUp;
  };
  const ann = await member();
  const { memberId } = ann;
  const trades = async (of = memberId) => (await listTrades(context.db, { memberId: of, limit: 100 })).items;
  return {
    ...world,
    context,
    ann,
    memberId,
    /** Signs up another member. */
    member,
    place: (input: Partial<NewTradeInput> = {}, of = memberId) =>
      placeTrade(context, of, { tradeId: 'btc', amount: 100, wallet_type: 'primary', ...input }),
    createPlan: (input: Partial<NewPlanInput> = {}, of = memberId) =>
      createPlan(context, of, { ...holdPlan, ...input }),
    plan: async (id: string | bigint) => (await getPlan(context.db, memberId, BigInt(id))).plan,
    /** Plays the market to a time of its day (`12:31:00`), of March (`05T12:31:00`), or any other time. */
    play: (until: string | Date, follow: () => Promise<unknown> = () => followMarket(context)) =>
      playUntil(context, typeof until === 'string' ? instantOf(until) : until, follow),
    trades,
    trade: async (id: string | bigint) => (await trades()).find((trade) => trade.id === id.toString()),
    balances: (of = memberId) => getBalances(context.db, of),
  };
}

/** A plan that buys 100 dollars of btc at each opening and compounds its gains. */
export const holdPlan = {
  tradeId: 'btc',
  strategy: 'session_hold',
  wallet_type: 'primary',
  amount: 100,
  compounding: true,
} as const satisfies NewPlanInput;

export function instantOf(time: string): string {
  if (/^\d\d:/.test(time)) return `${DAY}T${time}Z`;
  return /^\d\dT/.test(time) ? `2026-03-${time}Z` : time;
}

/** The same for a single test. */
export async function openWorldOfTest(market?: TradingMarket): Promise<TradingWorld> {
  const world = await openTradingWorld(market);
  onTestFinished(world.close);
  return world;
}
