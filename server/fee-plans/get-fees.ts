import type { DataOf } from '#contract/endpoint.ts';
import type { feePlans } from '#contract/fee-plan.ts';
import type { Db } from '#server/db/connect.ts';
import { findFeePlans } from './find-fee-plans.ts';
import { showFeePlan } from './show-fee-plan.ts';

/**
 * What is taken and where it goes, for everybody to read (docs/product.md, section 6); `next` is null when nothing will
 * change.
 */
export async function getFees(db: Db): Promise<DataOf<typeof feePlans.getFees>> {
  const { current, next } = await findFeePlans(db);
  const ids = { currentId: current.id, newestId: (next ?? current).id };
  return { current: showFeePlan(current, ids), next: next === undefined ? null : showFeePlan(next, ids) };
}
