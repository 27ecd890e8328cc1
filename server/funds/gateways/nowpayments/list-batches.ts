import type { z } from 'zod';
import { CallFailed, type GatewayCall } from '../call-server.ts';
import { type Listed, listedShape } from './shapes.ts';

const PAGE = 100;
const MAX_PAGES = 1000;
/** Allowed difference between their clock and ours. */
const CLOCK_SKEW_MS = 3_600_000;

/** Calls the API with the account's token. */
export type AuthenticatedCall = <Shape extends z.ZodType>(call: GatewayCall, shape: Shape) => Promise<z.output<Shape>>;

/** `references` are ours of its payouts. */
type Batch = { readonly id: string; readonly at: Date; readonly references: Set<string | null> };

/**
 * Reads batches newest first until they are older than `since`. Batches created meanwhile shift others to later pages,
 * so none is missed. The first page may be 0 or 1. Throws `CallFailed` for an inconsistent list.
 */
export async function listBatches(call: AuthenticatedCall, since: Date): Promise<Batch[]> {
  const oldest = since.getTime() - CLOCK_SKEW_MS;
  const found = new Map<string, Batch>();
  let last = Number.POSITIVE_INFINITY;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { limit: String(PAGE), page: String(page), order_by: 'dateCreated', order: 'desc' };
    const rows: Listed = await call({ method: 'GET', path: '/payout', query }, listedShape);
    if (rows.length === 0 && page > 0) return [...found.values()];
    const before = found.size;
    for (const { batch_withdrawal_id: id, unique_external_id: reference, created_at: at } of rows) {
      const batch = found.get(id) ?? { id, at, references: new Set() };
      // Each row is a payout; a batch created by hand may have several.
      batch.references.add(reference);
      if (found.has(id)) continue;
      if (at.getTime() > last) throw new CallFailed('GET /payout: unexpected order', 200, true);
      last = at.getTime();
      found.set(id, batch);
    }
    if (found.size === before && page > 1) break;
    if (last < oldest) return [...found.values()];
  }
  throw new CallFailed('GET /payout: endless list', 200, true);
}
