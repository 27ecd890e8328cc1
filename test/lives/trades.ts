import assert from 'node:assert';
import { trading } from '#contract/endpoints.ts';
import type { TradeDetail, TradeFill } from '#contract/trading/trade-detail.ts';
import type { Life, Lives } from './world.ts';

const inMicros = (dollars: number | null): bigint => BigInt(Math.round((dollars ?? Number.NaN) * 1e6));
/** A decimal in units of 10⁻¹². */
const units = (text: string): bigint => {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(12, '0'));
};

/** The price that follows from the mark, or from the exchange's execution. */
function priceOf({ mark, spread_bps: spread, execution }: TradeFill, sign: 1n | -1n): bigint {
  if (execution === null) return (units(mark) * (20_000n + sign * BigInt(spread)) + 10_000n) / 20_000n;
  return units(execution.fill) + sign * (units(execution.exchange_fee) + units(execution.markup));
}

function assertFill(fill: TradeFill, shown: number | null, sign: 1n | -1n, name: string) {
  if (fill.execution !== null || fill.mark_source === 'stored')
    assert.equal(units(fill.price), priceOf(fill, sign), name);
  assert.equal(shown, Number(fill.price), name);
}

/** What a trade cost and brought, worked out again from its prices and rates as docs/product.md says. */
function assertSettled({ trade, rates, opening, closing, ...shown }: TradeDetail, name: string) {
  assert(rates !== null && opening !== null && closing !== null, name);
  assertFill(opening, trade.open_price, 1n, `${name}, bought`);
  assertFill(closing, trade.close_price, -1n, `${name}, sold`);
  const amount = inMicros(trade.amount);
  const fee = (amount * BigInt(rates.trade_bps)) / 10_000n;
  const net = amount - fee;
  const proceeds = (net * units(closing.price)) / units(opening.price);
  const over = proceeds > amount ? proceeds - amount : 0n;
  const performanceFee = (over * BigInt(rates.performance_bps)) / 10_000n;
  const expected = {
    fee,
    net,
    proceeds,
    performanceFee,
    gross: proceeds - net,
    result: proceeds - amount - performanceFee,
  };
  const found = {
    fee: inMicros(trade.fee),
    net: inMicros(shown.net),
    proceeds: inMicros(shown.proceeds),
    performanceFee: inMicros(trade.performance_fee),
    gross: inMicros(trade.gross),
    result: inMicros(trade.result),
  };
  assert.deepEqual(found, expected, name);
}

/** What its transfers brought into where the trade's money came from and into the wallets, less what they took out. */
function changeBy({ trade, transfers }: TradeDetail): bigint {
  const own = new Set<string>(['primary', 'profit', trade.wallet_type]);
  const part = (account: string, micros: bigint) => (own.has(account) ? micros : 0n);
  return transfers.reduce(
    (sum, { from, to, amount }) => sum + part(to, inMicros(amount)) - part(from, inMicros(amount)),
    0n,
  );
}

/** The last trades of a member: each that is over came to what it shows, and moved just that. */
export async function compareTrades({ as, must }: Lives, life: Life): Promise<void> {
  const { items } = must(await as(life, trading.listTrades, { query: { limit: '20' } }));
  for (const { id } of items) {
    const detail: TradeDetail = must(await as(life, trading.getTrade, { id }));
    const name = `trade ${id}`;
    if (detail.trade.state === 'settled') assertSettled(detail, name);
    if (detail.trade.state !== 'settled' && detail.trade.state !== 'cancelled') continue;
    assert.equal(changeBy(detail), detail.trade.result === null ? 0n : inMicros(detail.trade.result), name);
  }
}
