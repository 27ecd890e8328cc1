import { randomUUID } from 'node:crypto';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { MAX_DOLLARS } from '#contract/money.ts';
import { anikasAddress } from '#server/demo/people.ts';
import type { Value } from './values.ts';

const symbols = ['btc', 'eth', 'sol', 'xrp', 'doge'];
/** The smallest PNG, in base64. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Values that the calls accept, by field name, where a schema alone hardly leads to one. */
const usualValues: Readonly<Record<string, readonly Value[]>> = {
  tradeId: symbols,
  symbols,
  address: [anikasAddress.address],
  amount: [25, 50, 75.5, 100, 5, 24.999999, 1000, 0.000001, MAX_DOLLARS, 9_000_000_000],
  stop_loss: [2, 5.5],
  take_profit: [3, 20],
  trailing_stop: [1.5, 10],
  transaction: ['a'.repeat(64), 'b'.repeat(64)],
  quantity: ['0.01', '3'],
  cost: [20, 500],
  fee: [0, 0.5],
  content: [png],
  terms: [firstFeePlan, { ...firstFeePlan, trade_fee_bps: firstFeePlan.trade_fee_bps + 5 }],
};

/** A value for a field, chosen by `pick`; undefined where none is listed. An email address is new each time. */
export function findUsual(name: string, pick: number): Value | undefined {
  if (name === 'email') return `${randomUUID()}@mail.test`;
  const values = usualValues[name];
  return values?.[Math.floor(pick / 4) % values.length];
}
