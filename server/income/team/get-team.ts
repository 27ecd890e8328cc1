import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { toTotal } from '#contract/money.ts';
import type { TeamOverview, team } from '#contract/team.ts';
import { listContacts, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type FeePlan, findFeePlans } from '#server/fee-plans/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { countTeams } from '#server/team/index.ts';
import { activeAfter, weekOf } from '../core/periods.ts';
import {
  findDistributedDay,
  type LevelFigures,
  listGrowth,
  listLegs,
  listLevelFigures,
  listQualifications,
} from './figures-sql.ts';
import { getFound, isActive, listMembers } from './list-members.ts';

/** The caller's team figures, or, with a level, a page of its members. Refuses `team_list_too_long`. */
export async function getTeam(
  { db }: Context,
  callerId: bigint,
  { level, ...query }: QueryOf<typeof team.getTeam>,
): Promise<DataOf<typeof team.getTeam>> {
  if (level === undefined) return inSnapshot(db, (tx) => readOverview(tx, callerId));
  return listMembers(db, { memberId: callerId, level, callerAbove: 0 }, query);
}

const LEGS_SHOWN = 10;
/** A year, including the current week. */
const WEEKS_SHOWN = 53;
const BPS_PER_PERCENT = 100;

/** A member's team figures: current members, everything else as of the last distributed session. */
async function readOverview(tx: Tx, memberId: bigint): Promise<TeamOverview> {
  const distributedDay = await findDistributedDay(tx);
  const standing = (await listQualifications(tx, [memberId])).get(memberId);
  const { byLevel, total } = getFound(await countTeams(tx, [memberId]), memberId);
  const activeByLevel = byLevel.map((_, index) => standing?.activeByLevel[index] ?? 0n);
  const activeMembers = sum(activeByLevel);
  const caller = { isActive: isActive(standing, distributedDay), activeDirects: activeByLevel[0] ?? 0n };
  const figures =
    distributedDay === undefined
      ? []
      : await listLevelFigures(tx, memberId, activeAfter(distributedDay), distributedDay);
  const { current, next = current } = await findFeePlans(tx);
  return {
    as_of: distributedDay ?? null,
    total_members: Number(total),
    active_members: Number(activeMembers),
    active_directs: Number(caller.activeDirects),
    active: caller.isActive,
    volume: toTotal(sum(figures.map(({ volume }) => volume))),
    trade_fees: toTotal(sum(figures.map(({ tradeFees }) => tradeFees))),
    bonus: toTotal(sum(figures.map(({ bonus }) => bonus))),
    levels: byLevel.map((members, index) => ({
      members: Number(members),
      active: Number(activeByLevel[index]),
      ...showLevel(index + 1, figures, next, caller),
    })),
    legs: await showLegs(tx, memberId),
    legs_total: Number(byLevel[0]),
    leg_cap: next.legCapBps / BPS_PER_PERCENT,
    growth: await showGrowth(tx, memberId, { members: Number(total), active: Number(activeMembers) }),
  };
}

/** Level 1 pays active members, level n also requires n active directs (docs/product.md, section 6). */
function showLevel(
  level: number,
  figures: readonly LevelFigures[],
  plan: FeePlan,
  caller: { readonly isActive: boolean; readonly activeDirects: bigint },
) {
  const found = figures.find((row) => row.level === level);
  return {
    level,
    volume: toTotal(found?.volume ?? 0n),
    trade_fees: toTotal(found?.tradeFees ?? 0n),
    bonus: toTotal(found?.bonus ?? 0n),
    share: (plan.levelBps[level - 1] ?? 0) / BPS_PER_PERCENT,
    pays: caller.isActive && (level === 1 || caller.activeDirects >= level),
  };
}

async function showLegs(tx: Tx, memberId: bigint): Promise<TeamOverview['legs']> {
  const legs = await listLegs(tx, memberId, LEGS_SHOWN);
  const heads = await listContacts(
    tx,
    legs.map((leg) => leg.memberId),
  );
  return legs.map(({ memberId, volume }) => ({ ...nameMember(getFound(heads, memberId)), volume: toTotal(volume) }));
}

/** Sizes at the ends of weeks, and the current size for the current week. */
async function showGrowth(
  tx: Tx,
  memberId: bigint,
  now: { readonly members: number; readonly active: number },
): Promise<TeamOverview['growth']> {
  const today = (await getMarketTime(tx)).toISOString().slice(0, 10);
  const { startsOn } = weekOf(today);
  const past = await listGrowth(tx, memberId, startsOn, WEEKS_SHOWN - 1);
  const points = past
    .toReversed()
    .map(({ week, members, active }) => ({ week, members: Number(members), active: Number(active) }));
  return [...points, { week: startsOn, ...now }];
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);
