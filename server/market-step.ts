import type { Context } from '#server/context.ts';
import { Faults } from '#server/faults.ts';
import { followMarket } from '#server/trading/index.ts';
import { isAllComputed, payDue } from './income/periods/pay-due.ts';
import type { IncomeGuard } from './income/reconciliation/reconcile.ts';

/**
 * A market step with its consequences: pays what is due, follows the market, and pays what became due by that. Called
 * after each step of the clock, by any number of workers. No session opens before the fees of earlier sessions are
 * distributed and earlier weeks and months are computed; whatever cannot be paid stops no open session.
 *
 * @param options `chunkSize`: trades processed per transaction; `guard`: holds weeks and months during an alarm
 * @returns where the clock may skip to, as `followMarket` does
 * @throws the error of a payment that failed, after the market was followed
 */
export async function runMarket(
  context: Context,
  { chunkSize, guard }: { readonly chunkSize?: number; readonly guard?: IncomeGuard } = {},
): Promise<{ skipTo?: Date }> {
  const faults = new Faults();
  const pay = () => faults.keep(() => payDue(context, guard));
  await pay();
  const followed = await followMarket(context, { chunkSize, mayOpen: () => isAllComputed(context.db) });
  await pay();
  faults.throwFirst();
  return followed;
}
