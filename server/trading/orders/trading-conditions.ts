import { type RawBuilder, sql } from 'kysely';
import { listFrozenMembers, listLossLimits, listPausedMembers } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listValues } from '#server/db/rows.ts';
import { readTradable } from '#server/market/index.ts';
import { findStandingHalt, listHaltedAssets } from '../halts/halt-trading.ts';
import { listLimitedSymbols } from '../limits/limit-sql.ts';

/** What decides, besides wallet and balance, whether somebody may place a trade. */
export type Conditions = {
  /** Assets that no operator switched off and that the venue trades. */
  readonly symbols: ReadonlySet<string>;
  readonly frozenMemberIds: ReadonlySet<bigint>;
  /** Members on a pause of their own. */
  readonly pausedMemberIds: ReadonlySet<bigint>;
  /** What members allow themselves to lose in a market day, in micros; only of those who set it. */
  readonly lossLimits: ReadonlyMap<bigint, bigint>;
  /** Assets with limits of size; with an exchange all, since its order book limits them. */
  readonly limitedSymbols: ReadonlySet<string>;
  /** By operators, for everybody. */
  readonly isHalted: boolean;
  /** Assets of which the exchange refuses orders. */
  readonly haltedSymbols: ReadonlySet<string>;
  /** The recording is over: no session follows. */
  readonly hasEnded: boolean;
};

const KEPT_MS = 1000;
const kept = new WeakMap<Db, { readonly readAt: number; readonly conditions: Promise<Conditions> }>();

/**
 * Read at most once a second: placing is the busiest call, and a trade that slips through a freeze, a switch-off or a
 * halt is cancelled before it opens. Market time is never cached: a trade dated back would fill at a known price.
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

async function lookUp(context: Context): Promise<Conditions> {
  const { db, now, config } = context;
  const [{ symbols, hasEnded }, frozen, paused, limits, halt, haltedAssets, limitedSymbols] = await Promise.all([
    readTradable(db),
    listFrozenMembers(db),
    listPausedMembers(db, now()),
    listLossLimits(db, now()),
    findStandingHalt(db),
    config.venue === 'ccxt' ? listHaltedAssets(db) : [],
    listLimitedSymbols(context),
  ]);
  return {
    symbols: new Set(symbols),
    frozenMemberIds: new Set(frozen),
    pausedMemberIds: new Set(paused),
    lossLimits: new Map(limits.map((limit) => [limit.memberId, limit.lossDayMicros])),
    limitedSymbols: new Set(limitedSymbols),
    isHalted: halt !== undefined,
    haltedSymbols: new Set(haltedAssets.map(({ symbol }) => symbol)),
    hasEnded,
  };
}

/** Whether a member's realised loss of the market day has reached their own limit. */
export async function isLossLimitReached({ db }: Context, memberId: bigint, conditions: Conditions): Promise<boolean> {
  const lossDayMicros = conditions.lossLimits.get(memberId);
  if (lossDayMicros === undefined) return false;
  return (await listOverLimit(db, currentDay, [{ memberId, lossDayMicros }])).length > 0;
}

/** Of the one session that is not settled. */
const currentDay = sql`(select day from trading.session where state <> 'settled')`;

/** Members whose own pause or daily loss limit forbids them to trade now (docs/product.md, section 8). */
export async function listLimitedMembers({ db, now }: Context, day: string): Promise<bigint[]> {
  const [paused, limits] = await Promise.all([listPausedMembers(db, now()), listLossLimits(db, now())]);
  return [...paused, ...(limits.length === 0 ? [] : await listOverLimit(db, sql`${day}::date`, limits))];
}

type LossLimit = { readonly memberId: bigint; readonly lossDayMicros: bigint };

/** Members of a list whose realised loss of a market day has reached what they allowed. */
const listOverLimit = (db: Db, day: RawBuilder<unknown>, limits: readonly LossLimit[]) =>
  listValues(db)<bigint>`
    select d.member_id
    from unnest(${limits.map((limit) => limit.memberId)}::bigint[], ${limits.map((limit) => limit.lossDayMicros)}::bigint[])
      as own(member_id, most)
    join trading.daily_result d on d.member_id = own.member_id and d.session_day = ${day} and d.result <= -own.most`;
