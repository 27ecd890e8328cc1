import type { Context } from '#server/context.ts';
import { followMarket } from '#server/trading/index.ts';
import { isAllPaid, type MayPayPeriod, payDue } from './pay-due.ts';

/**
 * A step of the market with all that comes with it: what is due is paid, the market is followed, and what became due by it
 * is paid. Called after each step of the clock, by any number of workers. No session opens before the fees of those before it
 * are shared and the weeks and months before it are paid.
 *
 * @param options `chunkSize`: trades worked on in one transaction; `mayPayPeriod`: whether weeks and months are paid now
 * @returns where the clock may skip to, as `followMarket` does
 */
export async function runMarket(
  context: Context,
  { chunkSize, mayPayPeriod }: { readonly chunkSize?: number; readonly mayPayPeriod?: MayPayPeriod } = {},
): Promise<{ skipTo?: Date }> {
  await payDue(context, mayPayPeriod);
  const followed = await followMarket(context, { chunkSize, mayOpen: () => isAllPaid(context.db) });
  await payDue(context, mayPayPeriod);
  return followed;
}
