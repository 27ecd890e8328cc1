import type { z } from 'zod';
import { CallFailed, type GatewayCall } from '../call-server.ts';
import { type Listed, listedShape } from './shapes.ts';

const PAGE = 100;
const MAX_PAGES = 1000;
/** Allowed difference between their clock and ours. */
const CLOCK_SKEW_MS = 3_600_000;

/** Calls the API with the account's token. */
export type AuthenticatedCall = <Shape extends z.ZodType>(call: GatewayCall, shape: Shape) => Promise<z.output<Shape>>;

/**
 * Reads batches newest first until they are older than `since`. Batches created meanwhile shift others to later pages,
 * so none is missed. The first page may be 0 or 1. Throws `CallFailed` for an inconsistent list.
 */
export async function listBatches(call: AuthenticatedCall, since: Date): Promise<Listed> {
  const oldest = since.getTime() - CLOCK_SKEW_MS;
  const seen = new Set<string>();
  const found: Listed = [];
  let last = Number.POSITIVE_INFINITY;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { limit: String(PAGE), page: String(page), order_by: 'dateCreated', order: 'desc' };
    const rows: Listed = await call({ method: 'GET', path: '/payout', query }, listedShape);
    const fresh = rows.filter((row) => !seen.has(row.batch_withdrawal_id));
    if (rows.length === 0 && page > 0) return found;
    if (fresh.length === 0 && page > 1) break;
    for (const batch of fresh) {
      // Each row is a withdrawal; a batch created by hand may have several.
      if (seen.has(batch.batch_withdrawal_id)) continue;
      const at = batch.created_at.getTime();
      if (at > last) throw new CallFailed('GET /payout: unexpected order', 200, true);
      last = at;
      seen.add(batch.batch_withdrawal_id);
      found.push(batch);
    }
    if (last < oldest) return found;
  }
  throw new CallFailed('GET /payout: endless list', 200, true);
}
