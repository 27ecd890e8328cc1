import type { Exchange, Trade } from 'ccxt';
import { symbols } from '#contract/rules.ts';
import { pairAt } from '#server/market/index.ts';
import { faultOfStatement } from '../core/execution/check-statement.ts';
import { Exact } from '../core/price.ts';
import { readDecimal, readFill, toDecimal } from './read-fill.ts';
import type { Movement, StatementQuirks } from './statement-quirks.ts';
import { type StatementLine, VenueFault } from './venue-port.ts';

/**
 * Reads the statement of a period for `Venue.listStatement`.
 *
 * @throws VenueFault unreadable when a line cannot be true
 */
export async function readStatement(
  exchange: Exchange,
  quirks: StatementQuirks,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<StatementLine[]> {
  const ours = new Map(symbols.map((symbol) => [pairAt(exchange.id, symbol), symbol]));
  const period = { from: from.getTime(), to: to.getTime() };
  const fills = await quirks.listFills(exchange, [...ours.keys()], period);
  const movements = await quirks.listMovements(exchange, period);
  const lines = [...fills.map((trade) => toFill(trade, ours)), ...movements.flatMap(toLines)];
  const fault = faultOfStatement(lines);
  if (fault !== undefined) throw new VenueFault('unreadable', `the statement cannot be right: ${fault}`);
  const once = new Map(lines.map((line) => [`${line.kind} ${line.pair} ${line.id}`, line]));
  return [...once.values()]
    .filter(({ at }) => at >= from && at < to)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function toFill(trade: Trade, ours: ReadonlyMap<string, string>): StatementLine {
  const { tradeId, quantity, cost, feeQuantity, feeCoin, filledAt } = readFill(trade);
  const pair = String(trade.symbol);
  return {
    kind: 'fill',
    id: tradeId,
    at: filledAt,
    pair,
    symbol: ours.get(pair) ?? null,
    coin: pair.split('/')[0] as string,
    orderId: readText(trade.order),
    clientOrderId: readText(trade.info?.clOrdId),
    side: trade.side as 'buy' | 'sell',
    quantity,
    cost,
    fee: feeQuantity,
    feeCoin,
    amount: null,
    transaction: null,
    word: 'trade',
  };
}

const readText = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : String(value);

const noFill = {
  pair: '',
  symbol: null,
  orderId: null,
  clientOrderId: null,
  side: null,
  quantity: null,
  cost: null,
  fee: '0',
  feeCoin: null,
} as const;

/** The movement, and its fee as a separate line. */
function toLines({ kind, id, timestamp, coin, amount, fee, transaction, word }: Movement): StatementLine[] {
  const moved = toDecimal(amount);
  const line: StatementLine = {
    ...noFill,
    kind: kind !== 'transfer' ? kind : moved.startsWith('-') ? 'transfer_out' : 'transfer_in',
    id: readText(id) ?? '',
    at: new Date(timestamp ?? Number.NaN),
    coin: readText(coin) ?? '',
    amount: moved,
    transaction: readText(transaction),
    word: readText(word) ?? '',
  };
  const taken = readDecimal(fee) ?? '0';
  if (Number(taken) === 0) return Number(moved) === 0 ? [] : [line];
  const ofFee = {
    ...line,
    kind: 'other',
    id: `${line.id}/fee`,
    amount: negated(taken),
    word: `${line.word} fee`,
  } as const;
  return Number(moved) === 0 ? [ofFee] : [line, ofFee];
}

/** Text that is not a number passes through and is refused later. */
const negated = (text: string): string => (Number.isNaN(Number(text)) ? text : new Exact(text).neg().toFixed());
