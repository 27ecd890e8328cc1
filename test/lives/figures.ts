import assert from 'node:assert';
import type { Endpoint } from '#contract/endpoint.ts';
import { funds, trading } from '#contract/endpoints.ts';
import type { Portfolio, Trade } from '#contract/trading/trading.ts';
import { readWallets } from './member-steps.ts';
import type { Life, Lives } from './world.ts';

export const inMicros = (dollars: number | null) => Math.round((dollars ?? 0) * 1e6);
export const sumOf = <T>(all: readonly T[], dollars: (one: T) => number | null): number =>
  all.reduce((sum, one) => sum + inMicros(dollars(one)), 0);

/** What came and went makes what is there. */
export async function compareStatement(world: Lives, life: Life): Promise<void> {
  const { wallets } = world.must(await world.as(life, funds.getStatement));
  const balances = await readWallets(world, life);
  for (const { wallet, opening, received, spent, closing } of wallets) {
    const sum = inMicros(opening) + inMicros(received) - inMicros(spent);
    assert.equal(sum, inMicros(closing), `statement of ${wallet}`);
    if (wallet in balances) assert.equal(closing, balances[wallet as keyof typeof balances], `balance of ${wallet}`);
  }
}

/** All pages of a list of the member. */
export async function listAll<T>({ as, must }: Lives, life: Life, row: Endpoint, id?: string): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '100', ...(cursor !== null && { cursor }) };
    const page: { items: T[]; next_cursor: string | null } = must(await as(life, row, { query, ...(id && { id }) }));
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
}

type Sums = Pick<
  Portfolio['by_asset'][number],
  'trades' | 'winning' | 'losing' | 'volume' | 'result' | 'trade_fees' | 'performance_fees'
>;
const settledSums = (settled: readonly Trade[]) => ({
  trades: settled.length,
  winning: settled.filter(({ result }) => inMicros(result) > 0).length,
  losing: settled.filter(({ result }) => inMicros(result) < 0).length,
  volume: sumOf(settled, ({ amount }) => amount),
  result: sumOf(settled, ({ result }) => result),
  trade_fees: sumOf(settled, ({ fee }) => fee),
  performance_fees: sumOf(settled, (one) => one.performance_fee),
});
const shownSums = (all: readonly Sums[]) => ({
  trades: all.reduce((sum, { trades }) => sum + trades, 0),
  winning: all.reduce((sum, { winning }) => sum + winning, 0),
  losing: all.reduce((sum, { losing }) => sum + losing, 0),
  volume: sumOf(all, ({ volume }) => volume),
  result: sumOf(all, ({ result }) => result),
  trade_fees: sumOf(all, (one) => one.trade_fees),
  performance_fees: sumOf(all, (one) => one.performance_fees),
});

/** The portfolio adds up in itself, and to the member's trades and wallets. */
export async function comparePortfolio(world: Lives, life: Life): Promise<void> {
  const { summary, result, totals, ...shown }: Portfolio = world.must(await world.as(life, trading.getPortfolio));
  const trades = await listAll<Trade>(world, life, trading.listTrades);
  const settled = trades.filter(({ state }) => state === 'settled');
  const held = trades.filter(({ state }) => state !== 'settled' && state !== 'cancelled');
  const bought = held.filter(({ fee }) => fee !== null);
  const wallets = await readWallets(world, life);
  const netDeposits = inMicros(summary.deposited) - inMicros(summary.withdrawn);
  const last = shown.equity.at(-1);
  const found = {
    days: shownSums(shown.realised_by_day),
    assets: shownSums(shown.by_asset),
    total: inMicros(result.total),
    realised: [result.realised, totals.realised, summary.realised].map(inMicros),
    volume: inMicros(summary.traded_volume),
    inTrades: inMicros(summary.in_trades),
    fees: [summary.fees_paid, totals.fees_paid].map(inMicros),
    counts: [totals.trades, totals.winning, totals.losing, totals.open],
    extremes: [totals.best, totals.worst].map((one) => one && inMicros(one.result)),
    netWorth: [
      inMicros(summary.net_worth),
      sumOf(shown.allocation, ({ value }) => value),
      last && inMicros(last.value),
    ],
    wallets: shown.allocation.filter(({ kind }) => kind === 'wallet').map(({ value }) => inMicros(value)),
    deposited: last && inMicros(last.put_in),
    fall: last && inMicros(last.drawdown),
    inPlans: inMicros(shown.in_plans),
  };
  const sums = settledSums(settled);
  const results = settled.map((one) => inMicros(one.result));
  const fees = sumOf(trades, ({ fee }) => fee) + sums.performance_fees;
  const netWorth = inMicros(shown.net_worth);
  assert.deepEqual(found, {
    days: sums,
    assets: sums,
    total: inMicros(result.realised) + inMicros(result.open) + inMicros(result.income) + inMicros(result.corrections),
    realised: [sums.result, sums.result, sums.result],
    volume: sums.volume,
    inTrades: sumOf(held, ({ amount }) => amount),
    fees: [fees, fees],
    counts: [sums.trades, sums.winning, sums.losing, bought.length],
    extremes: results.length === 0 ? [null, null] : [Math.max(...results), Math.min(...results)],
    netWorth: [netWorth, netWorth, netWorth],
    wallets: [wallets.primary, wallets.profit].filter((dollars) => dollars > 0).map(inMicros),
    deposited: netDeposits,
    fall: inMicros(shown.drawdown.now.amount),
    inPlans: sumOf(shown.plans, ({ value }) => value),
  });
  assert.equal(found.total, netWorth - netDeposits);
}
