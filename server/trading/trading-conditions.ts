import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listFrozenMembers } from '#server/identity/index.ts';
import { getFeed, listAssets } from '#server/market/index.ts';

/** What decides, besides wallet and balance, whether somebody may place a trade. */
export type Conditions = {
  /** Assets the operator has not switched off. */
  readonly symbols: ReadonlySet<string>;
  readonly frozenMemberIds: ReadonlySet<bigint>;
  /** The recording is over: no session follows. */
  readonly hasEnded: boolean;
};

const KEPT_MS = 1000;
const kept = new WeakMap<Db, { readonly readAt: number; readonly conditions: Promise<Conditions> }>();

/**
 * Looked up at most once a second, for placing is the busiest call: a trade that slips through right after a freeze or a
 * switch-off is cancelled before it opens, like those placed earlier, with the whole amount back. Market time is never
 * kept like this: a trade dated back would be filled at a price already known.
 */
export function readConditions(context: Context): Promise<Conditions> {
  const now = context.now().getTime();
  const known = kept.get(context.db);
  if (known !== undefined && Math.abs(now - known.readAt) < KEPT_MS) return known.conditions;
  const conditions = lookUp(context);
  kept.set(context.db, { readAt: now, conditions });
  conditions.catch(() => kept.delete(context.db));
  return conditions;
}

async function lookUp({ db, config }: Context): Promise<Conditions> {
  const [assets, frozen, feed] = await Promise.all([listAssets(db), listFrozenMembers(db), getFeed(db, config)]);
  return {
    symbols: new Set(assets.filter((asset) => asset.active).map((asset) => asset.symbol)),
    frozenMemberIds: new Set(frozen),
    hasEnded: feed.ended,
  };
}
