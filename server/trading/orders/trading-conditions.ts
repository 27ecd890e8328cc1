import { listFrozenMembers, listLossLimits, listPausedMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getFeed, listAssets } from '#server/market/index.ts';
import { findStandingHalt } from '../halts/halt-sql.ts';
import { findProgress } from '../session/session-sql.ts';
import { listOverLimit } from './limit-sql.ts';

/** What decides, besides wallet and balance, whether somebody may place a trade. */
export type Conditions = {
  /** Assets the operator has not switched off. */
  readonly symbols: ReadonlySet<string>;
  readonly frozenMemberIds: ReadonlySet<bigint>;
  /** Members on a pause of their own. */
  readonly pausedMemberIds: ReadonlySet<bigint>;
  /** What members allow themselves to lose in a market day, in micros; only of those who set it. */
  readonly lossLimits: ReadonlyMap<bigint, bigint>;
  /** By operators, for everybody. */
  readonly isHalted: boolean;
  /** The recording is over: no session follows. */
  readonly hasEnded: boolean;
};

const KEPT_MS = 1000;
const kept = new WeakMap<Db, { readonly readAt: number; readonly conditions: Promise<Conditions> }>();

/**
 * Looked up at most once a second, for placing is the busiest call: a trade that slips through right after a freeze, a
 * switch-off or a halt is cancelled before it opens, like those placed earlier, with the whole amount back. Market time is never
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

async function lookUp({ db, config, now }: Context): Promise<Conditions> {
  const [assets, frozen, paused, limits, halt, feed] = await Promise.all([
    listAssets(db),
    listFrozenMembers(db),
    listPausedMembers(db, now()),
    listLossLimits(db, now()),
    findStandingHalt(db),
    getFeed(db, config),
  ]);
  return {
    symbols: new Set(assets.filter((asset) => asset.active).map((asset) => asset.symbol)),
    frozenMemberIds: new Set(frozen),
    pausedMemberIds: new Set(paused),
    lossLimits: new Map(limits.map((limit) => [limit.memberId, limit.lossDayMicros])),
    isHalted: halt !== undefined,
    hasEnded: feed.ended,
  };
}

/** Whether a member's realised loss of the market day has reached what they allow themselves. Asks only for those who do. */
export async function isLossLimitReached({ db }: Context, memberId: bigint, conditions: Conditions): Promise<boolean> {
  const lossDayMicros = conditions.lossLimits.get(memberId);
  if (lossDayMicros === undefined) return false;
  const progress = await findProgress(db);
  if (progress === undefined) return false;
  return (await listOverLimit(db, progress.session.day, [{ memberId, lossDayMicros }])).length > 0;
}
