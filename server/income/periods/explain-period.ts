import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import { listContacts, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type FeePlan, getFeePlan } from '#server/fee-plans/index.ts';
import { orRefuse } from '#server/refused.ts';
import { findStart, monthName, type PeriodKind } from '../core/periods.ts';
import { countedOf } from '../core/rank.ts';
import { percentOf } from '../core/show-line.ts';
import { showTransfers } from '../statement/show-transfers.ts';
import { showMonth, showWeek } from './list-periods.ts';
import { listMonthLegs } from './monthly.ts';
import { findLine, type LineOf } from './period-lines.ts';
import { findPeriodRun, listPeriodSessions, type PeriodRun } from './period-sql.ts';
import { sumVolumeByLevel } from './weekly.ts';

type ExplainedWeek = DataOf<typeof income.explainWeek>;
type ExplainedMonth = DataOf<typeof income.explainMonth>;

/** The largest legs; smaller ones contribute little. */
const LEGS_SHOWN = 100;

/**
 * A week with its sources: the fees of all members, the pool's share of them, the member's part and the ledger's
 * transfer.
 *
 * @throws Refused not_found, also for a week in which the member's team did not trade
 */
export const explainWeek = (context: Context, memberId: bigint, id: string): Promise<ExplainedWeek> =>
  explain(context, 'weekly', memberId, id, async (tx, { line, run, plan }) => {
    const sessions = await listPeriodSessions(tx, run);
    const days = sessions.map(({ day }) => day);
    return {
      line: showWeek(line, run),
      sessions: sessions.length,
      trade_volume: toTotal(sessions.reduce((sum, { volume }) => sum + volume, 0n)),
      trade_fees: toTotal(sessions.reduce((sum, { tradeFees }) => sum + tradeFees, 0n)),
      filled: toDollars(run.pool - run.carried),
      carried: toDollars(run.carried),
      cap: percentOf(plan.weeklyCapBps),
      capped: line.paid < line.nominal,
      levels: (await sumVolumeByLevel(tx, memberId, days)).map(({ level, volume }) => ({
        level,
        volume: toTotal(volume),
      })),
    };
  });

/**
 * A month with its sources: the legs with their counted volume, the rank reached, the contribution to the pool, the
 * total due to all, and the ledger's transfer.
 *
 * @throws Refused not_found, also for a month in which the member's team did not trade
 */
export const explainMonth = (context: Context, memberId: bigint, id: string): Promise<ExplainedMonth> =>
  explain(context, 'monthly', memberId, id, async (tx, { line, run, plan }) => {
    const terms = line.rank === null ? undefined : plan.ranks[line.rank - 1];
    return {
      line: showMonth(line, run),
      team_volume: toTotal(line.teamVolume),
      required: terms === undefined ? null : toDollars(terms.volume),
      up_to: terms === undefined ? null : toDollars(terms.monthly),
      contributed: toDollars(line.contributed),
      pool: toDollars(run.pool),
      total: toDollars(run.total),
      leg_cap: percentOf(plan.legCapBps),
      ...(await showLegs(tx, { memberId, month: line.startsOn, rank: line.rank ?? 1 }, plan)),
    };
  });

type Found<Kind extends PeriodKind> = {
  readonly line: LineOf[Kind];
  readonly run: PeriodRun;
  readonly plan: FeePlan;
};

/** Details of a line by the kind of period, and the transfer that paid it. */
function explain<Kind extends PeriodKind, Details extends object>(
  { db }: Context,
  kind: Kind,
  memberId: bigint,
  id: string,
  getDetails: (tx: Tx, found: Found<Kind>) => Promise<Details>,
) {
  const startsOn = orRefuse(findStart(kind, id), 'not_found');
  return inSnapshot(db, async (tx) => {
    const line = orRefuse(await findLine(tx, kind, memberId, startsOn), 'not_found');
    const run = await findPeriodRun(tx, { kind, startsOn });
    assert(run, `the ${kind} run of ${startsOn} exists, as it has lines`);
    const details = await getDetails(tx, { line, run, plan: await getFeePlan(tx, run.planId) });
    return { ...details, transfers: await showTransfers(tx, [`${kind}/${startsOn}/${memberId}`]) };
  });
}

/** Legs are capped by the rank reached, or else by the first rank. */
async function showLegs(
  db: Db,
  { memberId, month, rank }: { memberId: bigint; month: string; rank: number },
  plan: FeePlan,
): Promise<Pick<ExplainedMonth, 'legs' | 'legs_total'>> {
  const { legs, count } = await listMonthLegs(db, { memberId, month, limit: LEGS_SHOWN });
  const contacts = await listContacts(
    db,
    legs.map((leg) => leg.memberId),
  );
  const { volume: required } = plan.ranks[rank - 1] as FeePlan['ranks'][number];
  return {
    legs: legs.map((leg) => {
      const contact = contacts.get(leg.memberId);
      assert(contact, `member ${leg.memberId} of a leg of ${monthName(month)} exists`);
      return {
        ...nameMember(contact),
        volume: toTotal(leg.volume),
        counted: toTotal(countedOf(leg.volume, required, plan.legCapBps)),
      };
    }),
    legs_total: Number(count),
  };
}
