import { sql } from 'kysely';
import { registerMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { getTeam } from '#server/income/team/get-team.ts';
import { listReferrals } from '#server/income/team/list-members.ts';
import { listLevel, sumTeamCounts } from '#server/team/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { atMost, measureCalls, onCluster, p95, timed, timesAtMost } from './measure.ts';
import { type Figure, report } from './report.ts';
import { giveFigures, plantTree, TOP } from './team-world.ts';
import { openWorld, type World } from './world.ts';

const MEMBERS = 1_000_000;
const CALLS = 100;
const REGISTRATIONS = 100;
/** Sign-ups not counted yet: those of a busy minute. */
const RECENT = 200;
const PAGE = 25;
const FAR_PAGE = 1000;
const DEEP_LEVEL = 5;

/**
 * The head of a deep and wide tree reads their team, page by page and in total, searches it, and signs members up, through the
 * functions that the routes call (docs/performance.md).
 *
 * @param members number of members in the tree
 * @returns whether every figure meets its target
 */
export async function runTeamBench(members = MEMBERS): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const empty = await openTop(cluster, 'empty_team');
    const full = await openTop(cluster, 'full_team');
    await plantTree(full, members - RECENT);
    const summed = await timed(() => sumTeamCounts(full.context));
    await plantMore(full.context.db);
    await giveFigures(full);
    await full.database.runScript('vacuum analyze');
    const figures = [
      ...(await measureReading(full.context)),
      ...(await measureSearches(full.context)),
      ...(await measureRegistrations(empty.context, full.context)),
    ];
    for (const { remove } of [empty, full]) await remove();
    return report('team', 'Team', figures, [
      `${server} ${members} members below the one who asks, ${members / 10} at each of nine levels, the rest at the tenth and in chains below; ${RECENT} of them came since teams were counted. p95 of ${CALLS} calls of the operation, each with its trips to the database; of ${REGISTRATIONS} registrations, taking turns. Registering includes the hash of the password, which is made to be slow. Summing up all but the last ${RECENT} members at once took ${(summed / 1000).toFixed(1)} s.`,
    ]);
  });
}

/** A world with only the head of a tree. */
async function openTop(cluster: Cluster, name: string): Promise<World> {
  const world = await openWorld(cluster, name, 0, 0n);
  const { memberId } = await register(world.context, world.context.config.companyCode, 0);
  if (memberId !== TOP) throw new Error(`the head has the id ${memberId}`);
  return world;
}

const register = (context: Context, referralCode: string, no: number) =>
  registerMember(context, {
    referralCode,
    mobileNumber: '+919876543210',
    name: `Tora Berg ${no}`,
    email: `tora${no}@example.com`,
    password: 'a harbour at dusk',
  });

/** The last to join, directs of a member at the second level. */
async function plantMore(db: Db): Promise<void> {
  const [sponsorId] = await listLevel(db, { memberId: TOP, level: 2, limit: 1 });
  await sql`
    insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    select 'TWNEW' || n, ${sponsorId}, 'Late ' || n, 'late@example.com', '+919876543210', '-', now()
    from generate_series(1, ${RECENT}::int) as n`.execute(db);
}

// ---- reading ----

async function measureReading(context: Context): Promise<Figure[]> {
  const { db } = context;
  const list = { limit: PAGE, sort: 'joined' } as const;
  const farOf = async (level: number) => ({ ...list, cursor: await findCursor(db, level) });
  const [farDirects, farDeep] = [await farOf(1), await farOf(DEEP_LEVEL)];
  const [head] = await listLevel(db, { memberId: TOP, level: 1, before: TOP + 2n, limit: 1 });
  const calls: (readonly [string, () => Promise<unknown>])[] = [
    ['refer-list, first page', () => listReferrals(context, TOP, list)],
    ['refer-list, a far page', () => listReferrals(context, TOP, farDirects)],
    ['refer-list, a branch', () => listReferrals(context, TOP, { ...list, of: String(head) })],
    ['team-info, in figures', () => getTeam(context, TOP, list)],
    [`team-info, level ${DEEP_LEVEL}, first page`, () => getTeam(context, TOP, { ...list, level: DEEP_LEVEL })],
    [`team-info, level ${DEEP_LEVEL}, a far page`, () => getTeam(context, TOP, { ...farDeep, level: DEEP_LEVEL })],
  ];
  const figures: Figure[] = [];
  for (const [what, call] of calls) figures.push(atMost(`${what}, p95`, await measure(call), 'ms', 20, 10));
  return figures;
}

/** Of the thousandth page, or the last one. */
async function findCursor(db: Db, level: number): Promise<string> {
  const ids = await listLevel(db, { memberId: TOP, level, limit: PAGE * (FAR_PAGE - 1) });
  return String(ids.at(ids.length < PAGE * (FAR_PAGE - 1) ? -PAGE - 1 : -1));
}

/** By prefixes that match many, some, few and all. */
async function measureSearches(context: Context): Promise<Figure[]> {
  const searches: (readonly [string, string])[] = [
    ['two letters', 'ka'],
    ['four letters', 'karo'],
    ['name and surname', 'karo limosil'],
    ['a Registered Id', 'TW00000777'],
    ['what all have', 'tw'],
    ['what nobody has', 'karolus'],
  ];
  const figures: Figure[] = [];
  for (const [what, search] of searches) {
    const call = () => getTeam(context, TOP, { limit: PAGE, sort: 'joined', level: DEEP_LEVEL, search });
    figures.push(atMost(`searching level ${DEEP_LEVEL} for ${what}, p95`, await measure(call), 'ms', 100, 20));
  }
  return figures;
}

async function measure(call: () => Promise<unknown>): Promise<number> {
  await call();
  return measureCalls(CALLS, call);
}

// ---- registering ----

async function measureRegistrations(empty: Context, full: Context): Promise<Figure[]> {
  const sides = [empty, full].map((context) => {
    const watched = watchTransactions(context.db);
    return { context: { ...context, db: watched.db }, inDatabase: watched.took, took: [] as number[] };
  });
  for (const { context } of sides) context.log.level = 'silent';
  const codes = await Promise.all(sides.map(({ context }) => getCode(context.db)));
  for (let no = 1; no <= REGISTRATIONS; no += 1)
    for (const [index, { context, took }] of sides.entries())
      took.push(await timed(() => register(context, codes[index] as string, no)));
  const [atEmpty, atFull] = sides as [(typeof sides)[0], (typeof sides)[0]];
  return [
    atEmptyTree('registering under the head of the tree, p95', p95(atFull.took), p95(atEmpty.took)),
    atEmptyTree('of it in the database, p95', p95(atFull.inDatabase), p95(atEmpty.inDatabase)),
  ];
}

const getCode = (db: Db) => getValue(db)<string>`select referral_code from identity.member where id = ${TOP}`;

/** A database that reports the duration of each transaction. */
function watchTransactions(db: Db): { db: Db; took: number[] } {
  const took: number[] = [];
  const execute = async <T>(work: Parameters<ReturnType<Db['transaction']>['execute']>[0]): Promise<T> => {
    const began = performance.now();
    const done = await db.transaction().execute(work);
    took.push(performance.now() - began);
    return done as T;
  };
  const watched = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute });
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { db: watched, took };
}

const atEmptyTree = (what: string, measured: number, empty: number): Figure =>
  timesAtMost(what, measured, 'ms', { what: 'at an empty tree', measured: empty }, [3, 1.5]);
