import type { Trade } from 'ccxt';
import { Exact } from '../core/price.ts';
import type { VenueFill } from './venue-port.ts';

const POWER = /^-?\d+(\.\d+)?e[-+]?\d+$/i;

/** ccxt declares numbers, but with `number = String` they are text. Expands `1e-8` to `0.00000001`. */
export const toDecimal = (value: unknown): string => {
  const text = String(value);
  return POWER.test(text) ? new Exact(text).toFixed() : text;
};

export const readDecimal = (value: unknown): string | null =>
  value === undefined || value === null || value === '' ? null : toDecimal(value);

export const readFill = (trade: Trade): VenueFill => ({
  tradeId: String(trade.id),
  quantity: toDecimal(trade.amount),
  cost: toDecimal(trade.cost),
  feeQuantity: toDecimal(trade.fee?.cost),
  feeCoin: Number(trade.fee?.cost ?? 0) === 0 ? null : String(trade.fee?.currency),
  filledAt: new Date(trade.timestamp as number),
});
