import type { Context } from '#server/context.ts';
import { followMarket } from '#server/trading/index.ts';
import { isAllPaid, payDue } from './pay-due.ts';

/**
 * A step of the market with all that comes with it: what is due is paid, the market is followed, and what became due by it
 * is paid. Called after each step of the clock, by any number of workers. No session opens before the fees of those before it
 * are shared and the weeks and months before it are paid.
 *
 * @param chunkSize trades worked on in one transaction
 * @returns where the clock may skip to, as `followMarket` does
 */
export async function runMarket(context: Context, chunkSize?: number): Promise<{ skipTo?: Date }> {
  await payDue(context);
  const followed = await followMarket(context, { chunkSize, mayOpen: () => isAllPaid(context.db) });
  await payDue(context);
  return followed;
}
