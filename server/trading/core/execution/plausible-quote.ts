import { Exact, isQuantity } from '../price.ts';
import type { Quote } from './batch-plan.ts';

/** Best prices further from the mark than this are no prices that members trade at. */
const FURTHEST = '0.05';

/** Whether an order book can be traded on: positive, not crossed, and near the mark that members see. */
export function isPlausible({ bid, ask, mark }: Quote): boolean {
  if (![bid, ask, mark].every((price) => isQuantity(price) && Number(price) > 0)) return false;
  const isNear = (price: string) => new Exact(price).div(mark).minus(1).abs().lte(FURTHEST);
  return new Exact(ask).gte(bid) && isNear(bid) && isNear(ask);
}
