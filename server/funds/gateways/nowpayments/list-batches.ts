import type { z } from 'zod';
import { CallFailed, type GatewayCall } from '../ask-server.ts';
import { type Listed, listedShape } from './shapes.ts';

const PAGE = 100;
const MOST_PAGES = 1000;
/** Of their clock and ours. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** A call with the account's token. */
export type Ask = <Shape extends z.ZodType>(call: GatewayCall, shape: Shape) => Promise<z.output<Shape>>;

/**
 * They are listed newest first, and the list ends where all that follows is older than `since`; what is made meanwhile moves
 * others back, so none is missed. The first page may be 0 or 1. A list that cannot be trusted is no answer.
 */
export async function listBatches(ask: Ask, since: Date): Promise<Listed> {
  const oldest = since.getTime() - CLOCKS_DIFFER_MS;
  const seen = new Set<string>();
  const found: Listed = [];
  let last = Number.POSITIVE_INFINITY;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = { limit: String(PAGE), page: String(page), order_by: 'dateCreated', order: 'desc' };
    const rows: Listed = await ask({ method: 'GET', path: '/payout', query }, listedShape);
    const fresh = rows.filter((row) => !seen.has(row.batch_withdrawal_id));
    if (rows.length === 0 && page > 0) return found;
    if (fresh.length === 0 && page > 1) break;
    for (const batch of fresh) {
      // A row is a withdrawal, and a batch made by hand may have several.
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
