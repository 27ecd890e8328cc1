import { monitorEventLoopDelay } from 'node:perf_hooks';
import { defaultSpreadBps, symbols } from '#contract/rules.ts';
import { type BacktestOrderInput, backtestOrder } from '#contract/trading/backtest.ts';
import { type StrategyName, strategyNames } from '#contract/trading/strategy.ts';
import { simulateBacktest } from '#server/trading/index.ts';
import { makeCandles } from '#test/recorded/made-candles.ts';
import { atMost, timed } from './measure.ts';
import { median, report } from './report.ts';

const ROUNDS = 7;
const DAYS = 90;
const FROM = '2025-07-24';
const TO = '2025-10-21';

type Market = Parameters<typeof simulateBacktest>[1];

/**
 * Backtests of 90 days of 15-minute candles: one asset and one strategy, and all assets with all strategies. Candles are
 * in memory; everything else, the reply included, is measured. How long the event loop was blocked is a separate figure.
 *
 * @returns whether every figure meets its target
 */
export async function runBacktestBench(): Promise<boolean> {
  const market = makeMarket();
  const one: number[] = [];
  const all: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let round = 0; round < ROUNDS; round += 1) {
    one.push(await timed(() => run(market, 'mean_reversion', ['btc'])));
    if (round === 1) delay.enable();
    all.push(
      await timed(async () => {
        for (const strategy of strategyNames) await run(market, strategy, symbols);
      }),
    );
  }
  delay.disable();
  return report(
    'backtest',
    'Backtests',
    [
      atMost(`${DAYS} days, 1 asset, 1 strategy`, median(one), 'ms', 100, 50),
      atMost(
        `${DAYS} days, ${symbols.length} assets, ${strategyNames.length} strategies, with stops`,
        median(all),
        'ms',
        5000,
        2500,
      ),
      atMost('time in which the process answered nothing else, p99', delay.percentile(99) / 1e6, 'ms', 50, 25),
    ],
    [`Made 15-minute candles in memory. Medians of ${ROUNDS} rounds in one process, the first of them cold.`],
  );
}

function run(market: Market, strategy: StrategyName, assets: readonly string[]) {
  const input: BacktestOrderInput = {
    strategy,
    symbols: [...assets],
    from: FROM,
    to: TO,
    amount: 10_000,
    stop_loss: 2,
    take_profit: 5,
    trailing_stop: 1.5,
  };
  return simulateBacktest(backtestOrder.parse(input), market);
}

function makeMarket(): Market {
  const made = new Map(
    symbols.map((symbol, seed) => [symbol, makeCandles(`${FROM}T00:00:00Z`, DAYS * 96, seed)] as const),
  );
  return {
    label: null,
    knownUntil: new Date(`${TO}T23:59:59Z`),
    spreads: new Map(symbols.map((symbol) => [symbol, defaultSpreadBps])),
    rates: { tradeBps: 40, performanceBps: 1000 },
    listCandles: async (symbol) => made.get(symbol) ?? [],
    listMinutes: async () => [],
  };
}
