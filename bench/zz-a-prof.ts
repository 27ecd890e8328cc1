import { sql } from 'kysely';
import { listContacts } from '#server/identity/index.ts';
import { getTeam } from '#server/income/team/get-team.ts';
import { listReferrals } from '#server/income/team/list-referrals.ts';
import { findSharedDay, listStandings, listLegs, listLevelFigures } from '#server/income/team/figures-sql.ts';
import { findFeePlans } from '#server/trading/index.ts';
import { countTeams, listLevel, sumTeamCounts, findCountHorizon } from '#server/team/index.ts';
import { levelPage } from '#server/team/place-sql.ts';
import { foundPage, hasWords, countWords } from '#server/team/search-sql.ts';
import { findPostgresPrograms, startCluster } from '#test/postgres-cluster.ts';
import { registerMember } from '#server/identity/index.ts';
import { giveFigures, plantTree, TOP } from './team-world.ts';
import { openWorld } from './world.ts';
const N = Number(process.argv[2] ?? 100000);
const cluster = await startCluster(findPostgresPrograms() as string, { durable: false, settings: ['shared_buffers=512MB', 'max_wal_size=8GB'] });
const t = async (name: string, f: () => Promise<unknown>, n = 40) => {
  await f(); const xs: number[] = [];
  for (let i = 0; i < n; i++) { const b = performance.now(); await f(); xs.push(performance.now() - b); }
  xs.sort((a, b) => a - b);
  console.log(name.padEnd(40), 'min', xs[0]!.toFixed(2), 'p50', xs[n >> 1]!.toFixed(2), 'p95', xs[Math.floor(n * 0.95)]!.toFixed(2));
};
try {
  const world = await openWorld(cluster, 'prof', 0, 0n);
  const { context } = world; const { db } = context;
  await registerMember(context, { referralCode: 'TRADEWIND', mobileNumber: '+919876543210', name: 'Tora', email: 't@example.com', password: 'a harbour at dusk' });
  let b = performance.now();
  await plantTree(world, N); console.log('plant', ((performance.now() - b) / 1000).toFixed(1));
  b = performance.now(); await sumTeamCounts(context); console.log('sum', ((performance.now() - b) / 1000).toFixed(1));
  b = performance.now(); await giveFigures(world); console.log('figures', ((performance.now() - b) / 1000).toFixed(1));
  await sql`insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    select 'TWNEW' || n, 30, 'Late ' || n, 'late@example.com', '+919876543210', '-', now() from generate_series(1, 200) as n`.execute(db);
  await world.database.runScript('vacuum analyze');
  const ids = await listLevel(db, { memberId: TOP, level: 5, limit: 25 });
  const all = await listLevel(db, { memberId: TOP, level: 5, limit: 24975 });
  const far = all.at(-30);
  const explain = async (name: string, q: any) => {
    const { rows } = await sql<any>`explain (analyze, buffers) ${q}`.execute(db);
    console.log('---', name); for (const r of rows) console.log(r['QUERY PLAN']);
  };
  await explain('level', levelPage({ memberId: TOP, level: 5, limit: 26 }));
  await explain('level far', levelPage({ memberId: TOP, level: 5, before: far, limit: 26 }));
  await explain('level few', levelPage({ memberId: TOP, level: 1, before: 28n, limit: 26 }));
  await explain('byword ka', foundPage({ memberId: TOP, level: 5, limit: 26 }, ['ka']));
  await explain('byword karo', foundPage({ memberId: TOP, level: 5, limit: 26 }, ['karo']));
  await explain('bylevel tw', levelPage({ memberId: TOP, level: 5, limit: 26 }, hasWords(['tw'])));
  await t('listLevel', () => listLevel(db, { memberId: TOP, level: 5, limit: 26 }));
  await t('listLevel far', () => listLevel(db, { memberId: TOP, level: 5, before: far, limit: 26 }));
  await t('horizon', () => findCountHorizon(db));
  await t('countTeams', () => countTeams(db, [TOP, ...ids]));
  await t('contacts', () => listContacts(db, ids));
  await t('standings', () => listStandings(db, ids));
  await t('sharedDay', () => findSharedDay(db));
  await t('levelFigures', () => listLevelFigures(db, TOP, '2026-02-01', '2026-03-03'));
  await t('legs', () => listLegs(db, TOP, 10));
  await t('plans', () => findFeePlans(db));
  await t('countWords', () => countWords(db, 'ka', 10000));
  const list = { limit: 25, sort: 'joined' } as const;
  await t('refer-list', () => listReferrals(context, TOP, list));
  await t('level', () => getTeam(context, TOP, { ...list, level: 5 }));
  await t('overview', () => getTeam(context, TOP, list));
  for (const s of ['ka', 'karo', 'karo limosil', 'TW00000777', 'tw', 'karolus', 'zz']) await t('search ' + s, () => getTeam(context, TOP, { ...list, level: 5, search: s }), 15);
  if (N <= 200000) for (const sort of ['name', 'volume', 'team'] as const) await t('sort ' + sort, () => getTeam(context, TOP, { ...list, level: 5, sort }), 5);
  await world.database.close(); world.recording.remove();
} finally { await cluster.stop(); }
