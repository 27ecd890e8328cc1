import { Exact, isQuantity } from '../price.ts';
import type { Quote } from './batch-plan.ts';

/** Members do not trade at best prices further from the mark than this. */
const MAX_DEVIATION = '0.05';

/** Whether an order book is tradable: positive, not crossed, and near the mark that members see. */
export function isPlausible({ bid, ask, mark }: Quote): boolean {
  if (![bid, ask, mark].every((price) => isQuantity(price) && Number(price) > 0)) return false;
  const isNear = (price: string) => new Exact(price).div(mark).minus(1).abs().lte(MAX_DEVIATION);
  return new Exact(ask).gte(bid) && isNear(bid) && isNear(ask);
}
