import type { Context } from '#server/context.ts';
import { followMarket } from '#server/trading/index.ts';
import { isAllComputed, payDue } from './income/periods/pay-due.ts';
import type { IncomeGuard } from './income/reconciliation/reconcile.ts';

/**
 * A step of the market with all that comes with it: what is due is paid, the market is followed, and what became due by it
 * is paid. Called after each step of the clock, by any number of workers. No session opens before the fees of those before it
 * are shared and the weeks and months before it are computed.
 *
 * @param options `chunkSize`: trades worked on in one transaction; `guard`: holds weeks and months while an alarm stands
 * @returns where the clock may skip to, as `followMarket` does
 */
export async function runMarket(
  context: Context,
  { chunkSize, guard }: { readonly chunkSize?: number; readonly guard?: IncomeGuard } = {},
): Promise<{ skipTo?: Date }> {
  await payDue(context, guard);
  const followed = await followMarket(context, { chunkSize, mayOpen: () => isAllComputed(context.db) });
  await payDue(context, guard);
  return followed;
}
