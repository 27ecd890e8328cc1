import { symbols } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { liveLimits } from '../core/asset-limits.ts';
import { insertLimits, resetTaken } from './limit-sql.ts';

const none = { tradeMicros: null, memberMicros: null, allMicros: null };

/** Initial size limits per asset (docs/product.md, section 3): by liquidity in live mode, otherwise none. */
export const prepareLimits = ({ db, config }: Context): Promise<void> =>
  inTransaction(db, async (tx) => {
    await insertLimits(
      tx,
      [...symbols].sort().map((symbol) => ({ symbol, ...(config.mode === 'live' ? liveLimits(symbol) : none) })),
    );
    await resetTaken(tx);
  });
