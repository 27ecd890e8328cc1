import { sql } from 'kysely';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { connectPostgres } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { COUNTED_ONCE, type PeriodRule, SHARED_POOL } from '#server/income/core/contribution.ts';
import { payDue } from '#server/income/periods/pay-due.ts';
import { sumTeamCounts } from '#server/team/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { insertSession } from '#test/worlds/settled-session.ts';
import { addMembers, settleTrades } from './income.ts';
import { atMost, onCluster, runOn, timesAtMost } from './measure.ts';
import { payAlone, type Step } from './pay-alone.ts';
import { type Figure, median, report } from './report.ts';
import { inBatches, openWorld } from './world.ts';

/** Number of members, each with a settled trade, and of rounds: small sizes are noisy. */
const SIZES = [
  { members: 10_000, rounds: 5 },
  { members: 100_000, rounds: 5 },
  { members: 1_000_000, rounds: 1 },
] as const;
const DAY = '2026-03-03';
/** The first instants at which the week and the month of that day are due. */
const DUE = { week: '2026-03-09T00:00:00Z', month: '2026-04-01T00:00:00Z' } as const;
type Kind = keyof typeof DUE;
const kinds = Object.keys(DUE) as Kind[];

/** Every member with an active direct has a part of the week, and nearly every member with a team a rank. */
const TERMS = {
  ...firstFeePlan,
  weekly_min_directs: 1,
  ranks: firstFeePlan.ranks.map((rank) => ({ ...rank, volume: rank.volume / 25 })),
};

type Round = Readonly<Record<Kind, Step>>;
type Size = { readonly before: Round; readonly now: Round };

/**
 * A week and a month in which a dollar counts once, against those that share the whole pool (docs/incomes.md): the same members,
 * tree, session and fees, in copies of one database.
 *
 * @param sizes numbers of members; all three by default
 * @returns whether every figure meets its target
 */
export async function runPeriodsBench(sizes: readonly number[] = []): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const figures: Figure[] = [];
    for (const { members, rounds } of SIZES)
      if (sizes.length === 0 || sizes.includes(members))
        figures.push(...figuresOf(members, await benchSize(cluster, members, rounds)));
    return report('periods', 'Weeks and months', figures, [
      `${server} The tree and the session are those of the bonus run; figures are medians of the rounds. A period is whole: contributed parts, lines, transfers, messages, hashes and reconciliation, in a process of its own.`,
    ]);
  });
}

const figuresOf = (members: number, { before, now }: Size): Figure[] =>
  kinds.flatMap((kind) => [
    timesAtMost(
      `${kind} of ${members} members`,
      now[kind].seconds,
      's',
      { what: 'by the first rule', measured: before[kind].seconds },
      [1.2, 1],
    ),
    atMost(`Node memory, ${kind} of ${members} members`, now[kind].memoryMb, 'MB', 300, 150),
  ]);

async function benchSize(cluster: Cluster, members: number, rounds: number): Promise<Size> {
  const world = await openWorld(cluster, `periods_${members}`, 0, 0n);
  const { database, context, recording } = world;
  const { id: planId } = await writeFeePlan(context, TERMS);
  const session = await inTransaction(context.db, (tx) => insertSession(tx, DAY, Number(planId)));
  await inBatches(members, (first, last) => addMembers(context, first, last));
  await inBatches(members, (first, last) => settleTrades(context, session, first, last));
  await payDue(context);
  // Happens every minute in production: teams are counted before a week ends.
  await sumTeamCounts(context);
  await database.runScript('vacuum analyze');
  await database.close();
  const measured: Size[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await benchRule(cluster, { members, rule: SHARED_POOL, folder: recording.folder });
    measured.push({
      before,
      now: await benchRule(cluster, { members, rule: COUNTED_ONCE, folder: recording.folder }),
    });
  }
  recording.remove();
  await runOn(cluster, `drop database periods_${members}`);
  const of = (rule: keyof Size, kind: Kind): Step => ({
    seconds: median(measured.map((size) => size[rule][kind].seconds)),
    memoryMb: median(measured.map((size) => size[rule][kind].memoryMb)),
  });
  const all = (rule: keyof Size): Round => ({ week: of(rule, 'week'), month: of(rule, 'month') });
  return { before: all('before'), now: all('now') };
}

type Copy = { readonly members: number; readonly rule: PeriodRule; readonly folder: string };

async function benchRule(cluster: Cluster, { members, rule, folder }: Copy): Promise<Round> {
  const name = `periods_${members}_${rule}`;
  await runOn(cluster, `create database ${name} template periods_${members}`);
  const admin = connectPostgres(cluster.url(name), { max: 1 });
  try {
    await sql`insert into income.period_rule (begins_on, rule) values ('1970-01-02', ${rule}::smallint)`.execute(
      admin.db,
    );
    const measure = async (kind: Kind): Promise<Step> => {
      await sql`update market.clock set at = ${DUE[kind]}::timestamptz`.execute(admin.db);
      await admin.runScript('checkpoint');
      const taken = await payAlone(cluster.url(name), folder);
      const run = await getRow(admin.db)<{ qualified: bigint; paid: bigint }>`
        select qualified, paid from income.period_run order by ran_at desc limit 1`;
      process.stderr.write(
        `${name}: ${kind} in ${taken.seconds.toFixed(2)} s, ${taken.memoryMb.toFixed(0)} MB, ${run.qualified} qualified, ${run.paid} paid\n`,
      );
      return taken;
    };
    return { week: await measure('week'), month: await measure('month') };
  } finally {
    await admin.close();
    await runOn(cluster, `drop database ${name}`);
  }
}
