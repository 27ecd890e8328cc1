import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { riskSentence } from '#contract/rules.ts';
import { type BacktestOrder, type BacktestResult, backtestOrder } from '#contract/trading/backtest.ts';
import { reasonWords, strategyTitles } from '#contract/trading/strategy.ts';
import { type Config, readConfig } from '#server/config.ts';
import { Refused } from '#server/refused.ts';
import { openRecordedMarket, openStoredMarket, simulateBacktest } from '#server/trading/index.ts';
import { badArgument, nameOption, print, readDatabase, runWithConfig } from './run-command.ts';

const DAYS_BY_DEFAULT = 90;
const DAY_MS = 86_400_000;

/**
 * `npm run backtest`: the hypothetical result of a strategy on recorded prices, or on those in the database
 * (docs/trading.md, "Backtests"). A server may be running on PostgreSQL, but not on the embedded database. Exit code 1:
 * no result.
 */
async function main(config: Config): Promise<0> {
  const { values } = parseArgs({ options });
  const run = async (market: Market): Promise<0> => {
    const order = readOrder(values, market);
    print(describe(order, await simulateBacktest(order, market), values.trades === true));
    return 0;
  };
  if (values.data === undefined) return readDatabase(config, async (context) => run(await openStoredMarket(context)));
  const { market } = readConfig({ MARKET_FEED: 'replay', REPLAY_DATA: resolve(values.data) });
  return run(await nameOption('REPLAY_DATA', '--data', () => openRecordedMarket(market)));
}

type Market = Awaited<ReturnType<typeof openStoredMarket>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  data: text,
  strategy: text,
  symbols: { ...text, default: 'btc' },
  from: text,
  to: text,
  amount: { ...text, default: '1000' },
  wallet: { ...text, default: 'primary' },
  compounding: { ...flag, default: false },
  period: text,
  'atr-multiple': text,
  'stop-loss': text,
  'take-profit': text,
  'trailing-stop': text,
  trades: flag,
} as const;
type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** The order, parsed with the API's own schema. @throws BadConfig naming the option */
function readOrder(values: Values, market: Market): BacktestOrder {
  const known = market.knownUntil.getTime();
  const parsed = backtestOrder.safeParse({
    strategy: values.strategy,
    params: { period: toNumber(values.period), atr_multiple: toNumber(values['atr-multiple']) },
    symbols: values.symbols === 'all' ? [...market.spreads.keys()] : values.symbols.split(','),
    from: values.from ?? dayOf(known - (DAYS_BY_DEFAULT - 1) * DAY_MS),
    to: values.to ?? dayOf(known),
    amount: toNumber(values.amount),
    wallet_type: values.wallet,
    compounding: values.compounding,
    stop_loss: toNumber(values['stop-loss']),
    take_profit: toNumber(values['take-profit']),
    trailing_stop: toNumber(values['trailing-stop']),
  });
  if (parsed.success) return parsed.data;
  throw badArgument(parsed.error, (path) => {
    const field = String(path.find((part) => part !== 'params'));
    return `--${field.replace('wallet_type', 'wallet').replaceAll('_', '-')}`;
  });
}

const toNumber = (value: string | undefined) => (value === undefined ? undefined : Number(value));
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

function describe(order: BacktestOrder, result: BacktestResult, withTrades: boolean): string {
  const { stats } = result;
  const params = Object.entries(result.params).map(([name, value]) => `${name} ${value}`);
  const prices = result.market_label === null ? 'past prices' : 'past prices of a simulated or recorded market';
  const rows: [string, string][] = [
    ['Net deposits', dollars(stats.put_in)],
    ['P&L', `${signed(stats.result)} (${percent(stats.result_percent)})`],
    ['Buy and hold', `${signed(stats.hold_result)} (${percent(stats.hold_percent)})`],
    ['Max drawdown', `${dollars(stats.max_drawdown)}, ${percent(stats.max_drawdown_percent)} from peak`],
    [
      'Trades',
      `${stats.trades}: ${stats.winning} winning, ${stats.losing} losing, win rate ${percent(stats.win_rate)}`,
    ],
    ['Sessions', `${stats.sessions}: ${stats.winning_sessions} winning, ${stats.losing_sessions} losing`],
    [
      'Best session',
      stats.best_session === null ? '–' : `${stats.best_session.day} ${signed(stats.best_session.result)}`,
    ],
    [
      'Worst session',
      stats.worst_session === null ? '–' : `${stats.worst_session.day} ${signed(stats.worst_session.result)}`,
    ],
    ['Sharpe ratio (per session, not annualised)', ratio(stats.sharpe_per_session)],
    ['Sortino ratio (per session, not annualised)', ratio(stats.sortino_per_session)],
    [
      'Fees',
      `${dollars(stats.fees_paid)} (trade ${dollars(stats.trade_fees)}, performance ${dollars(stats.performance_fees)})`,
    ],
    ['Time in market', `${percent(stats.exposure_percent)} of session time`],
  ];
  return [
    `Backtest: ${strategyTitles[result.strategy]}${params.length === 0 ? '' : ` (${params.join(', ')})`}, ${order.symbols.join(', ')}, ${result.from} to ${result.to}`,
    `${result.market_label ?? 'Live market'}: ${prices}. ${riskSentence}`,
    '',
    ...table([['', ''], ...rows]),
    '',
    ...table([
      ['Asset', 'Net deposits', 'P&L', 'Buy and hold', 'Trades', 'Fees'],
      ...result.assets.map((asset) => [
        asset.symbol,
        dollars(asset.put_in),
        signed(asset.result),
        signed(asset.hold_result),
        String(asset.trades),
        dollars(asset.fees_paid),
      ]),
    ]),
    '',
    ...table([
      ['Decisions without a trade', 'Most recent'],
      ...stats.waits.map(({ code, count, last }) => [
        `${count} ${code}`,
        `${last.symbol} ${last.time}: ${reasonWords(code, last.facts)}`,
      ]),
    ]),
    ...(withTrades ? ['', ...listTrades(result)] : []),
  ].join('\n');
}

function listTrades(result: BacktestResult): string[] {
  const left = result.trades_total - result.trades.length;
  return [
    ...table([
      ['Asset', 'Opened', 'Entry price', 'Closed', 'Close price', 'P&L', 'Reason'],
      ...result.trades.map((trade) => [
        trade.symbol,
        trade.opened_at,
        String(trade.open_price),
        trade.closed_at,
        String(trade.close_price),
        signed(trade.result),
        `${reasonWords(trade.entry.code, trade.entry.facts)} ${reasonWords(trade.exit.code, trade.exit.facts)}`,
      ]),
    ]),
    ...(left === 0 ? [] : ['', `${left} earlier trades are not listed. The figures include them.`]),
  ];
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

const grouped = (value: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const dollars = (value: number) => `$${grouped(value)}`;
const signed = (value: number) => `${value > 0 ? '+' : value < 0 ? '−' : ''}$${grouped(Math.abs(value))}`;
const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(2).replace('-', '−')} %`);
const ratio = (value: number | null) => (value === null ? '–' : value.toFixed(4).replace('-', '−'));

await runWithConfig(main, Refused);
