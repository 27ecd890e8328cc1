import { type RawBuilder, sql } from 'kysely';
import { connectPostgres, type Database } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import {
  houseAccount,
  listStatement,
  memberAccount,
  openMemberAccounts,
  postFrom,
  type StatementQuery,
} from '#server/ledger/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { atMost, inSeconds, measureCalls, onCluster, timesAtLeast } from './measure.ts';
import { preparePgbench, runReference, runScript } from './pgbench.ts';
import {
  aboutPgledger,
  findPgledger,
  PGLEDGER_PLACE,
  pgledgerGroup,
  pgledgerHot,
  pgledgerSpread,
  preparePgledger,
} from './pgledger.ts';
import { type Figure, median, report } from './report.ts';
import { createServed } from './world.ts';

const MEMBERS = 10_000;
const BUSY_MEMBER = 20_001n;
const ROUNDS = 5;
/** Rounds of single transfers: many short ones, so that other load on the machine affects all equally. */
const SINGLE_ROUNDS = 15;
const SECONDS = 2;
const WARM_UP_SECONDS = 10;
/** As many trades as clients of the `trade` bench send at once. */
const GROUP = 32;
const SET = 100_000;
const CHUNK = 10_000;
const MOVEMENTS = 1_000_000;
const PAGES = 200;
const DATABASE = 'ledger';

/**
 * The ledger against its references on one durable PostgreSQL (docs/performance.md). References and figures
 * alternate, and the median of the rounds counts, because the speed of a shared machine varies from minute to minute.
 *
 * @returns whether every figure meets its target
 */
export async function runLedgerBench(): Promise<boolean> {
  const other = findPgledger();
  return onCluster(async (cluster, server) => {
    const { database, admin, user } = await openLedger(cluster);
    if (other) await preparePgledger(cluster, other, MEMBERS);
    await admin.runScript(BARE_TABLES);
    const { figures: singles, bare } = await benchSingles(cluster, user, other !== undefined);
    const set = await benchSet(database, admin);
    const pages = await benchPages(database, admin);
    await database.close();
    await admin.close();
    return report(
      'ledger',
      'Ledger',
      [...singles, set, ...pages],
      [
        `${server} Single transfers: 8 connections that keep their statements prepared, as the application's do (\`pgbench -N\` as it comes), ${SINGLE_ROUNDS} rounds of ${SECONDS} s; sets: ${ROUNDS} rounds. Figures are medians of the rounds, in which reference and figure take turns. ${aboutPgledger(other)}`,
        bare,
      ],
    );
  });
}

/** `database` and `user` are the server's role, `admin` is the superuser. */
async function openLedger(cluster: Cluster): Promise<{ database: Database; admin: Database; user: string }> {
  const { superuser, serving } = await createServed(cluster, DATABASE);
  const database = connectPostgres(serving);
  const admin = connectPostgres(superuser, { max: 2 });
  const members = Array.from({ length: SET }, (_, index) => BigInt(index + 1));
  await inTransaction(database.db, (tx) => openMemberAccounts(tx, members));
  for (let first = 1; first <= SET; first += CHUNK) await fund(database, first);
  await admin.runScript('vacuum analyze');
  return { database, admin, user: new URL(serving).username };
}

const fund = (database: Database, first: number) =>
  postSet(
    database,
    sql`
    select 'start/' || m, ${houseAccount('gateway')}, ${memberAccount(sql`m`, 'primary')}, 1000000000000000, 'deposit', 'start', now(), null::text
    from generate_series(${first}::bigint, ${first + CHUNK - 1}) m`,
  );

const postSet = (database: Database, drafts: RawBuilder<unknown>) =>
  inTransaction(database.db, (tx) => postFrom(tx, drafts));

// ---- one transfer at a time ----

/** One `post` as the application sends it: money of one of 10 000 members goes into a trade. */
const SPREAD = script('trade_place', ':from', ':to');
/** Every transfer uses the same house account. */
const HOT = script('deposit', '6', ':from');

function script(reason: string, from: string, to: string): string {
  return [
    `\\set member random(1, ${MEMBERS})`,
    '\\set from :member * 32 + 1',
    '\\set to :member * 32 + 3',
    '\\set n :n + 1',
    `select id, key, from_balance_after, to_balance_after from ledger.post_one(
      ('(${reason}/' || :run || '.' || :client_id || '.' || :n || ',' || ${from} || ',' || ${to}
        || ',1000000,${reason},trade 1,2026-03-04T12:00:00.000Z,,)')::ledger.draft);`,
  ].join('\n');
}

/** Money of 32 members goes into trades in one statement, as trades that arrive together are placed. */
const TOGETHER = [
  '\\set n :n + 1',
  `\\set first random(1, ${MEMBERS - GROUP})`,
  `select ledger.post_set(array(
     select ('group/' || :run || '.' || :client_id || '.' || :n || '.' || m, m * 32 + 1, m * 32 + 3, 1000000, 'trade_place', 'trade 1',
       '2026-03-04T12:00:00.000Z', null, null)::ledger.draft
     from generate_series(:first, :first + ${GROUP - 1}) m));`.replaceAll('\n', ' '),
].join('\n');

/** What any transfer must write, in one statement: its row, with only the key's index, and two balances. Checks nothing. */
const BARE = [
  `\\set member random(1, ${MEMBERS})`,
  `with moved as (update bare_account set balance = balance + 1 where id in (:member * 32 + 1, :member * 32 + 3))
   insert into bare select nextval('bare_id'), :member * 32 + 1, :member * 32 + 3, 1000000, 1, 1, null, 1, now(), now(), 'trade_place',
     'bare/' || :client_id, 'trade 1', null, sha256('x');`.replaceAll('\n', ' '),
].join('\n');

const BARE_TABLES = `
  create table bare (like ledger.transfer, primary key (id));
  create sequence bare_id start 1000000000;
  create table bare_account (id bigint primary key, balance bigint not null) with (fillfactor = 80);
  insert into bare_account select id, balance from ledger.account`;

type Measured = 'reference' | 'spread' | 'hot' | 'together' | 'bare' | 'otherSpread' | 'otherHot' | 'otherTogether';

/** The figures, with bare writing for comparison. */
async function benchSingles(
  cluster: Cluster,
  user: string,
  hasPgledger: boolean,
): Promise<{ figures: Figure[]; bare: string }> {
  await preparePgbench(cluster);
  await runReference(cluster, WARM_UP_SECONDS);
  const rounds: Record<Measured, number>[] = [];
  const runOther = (sql: string) => (hasPgledger ? runScript(cluster, PGLEDGER_PLACE, sql, SECONDS) : Number.NaN);
  for (let round = 0; round < SINGLE_ROUNDS; round += 1) {
    const reference = await runReference(cluster, SECONDS);
    const spread = await runScript(cluster, [DATABASE, user], SPREAD, SECONDS);
    const hot = await runScript(cluster, [DATABASE, user], HOT, SECONDS);
    const bare = await runScript(cluster, [DATABASE, 'tradewind'], BARE, SECONDS);
    const otherSpread = await runOther(pgledgerSpread(MEMBERS));
    const otherHot = await runOther(pgledgerHot(MEMBERS));
    const together = GROUP * (await runScript(cluster, [DATABASE, user], TOGETHER, SECONDS));
    const otherTogether = GROUP * (await runOther(pgledgerGroup(MEMBERS, GROUP)));
    rounds.push({ reference, spread, hot, together, bare, otherSpread, otherHot, otherTogether });
  }
  const of = (name: Measured) => median(rounds.map((round) => round[name]));
  const times = timesAtLeast(rounds);
  const figures = [
    times(`single transfers, spread over ${MEMBERS} members`, 'spread', ['pgbench -N', 'reference'], [1.2, 1.4]),
    times('the same against one account of the house', 'hot', ['spread', 'spread'], [0.8, 1]),
    ...(hasPgledger
      ? [
          times('single transfers, spread', 'spread', ['pgledger, spread', 'otherSpread'], [4, 6]),
          times('the same against one account', 'hot', ['pgledger, one account', 'otherHot'], [4, 6]),
          times(
            `${GROUP} transfers together, spread`,
            'together',
            [`pgledger, ${GROUP} together`, 'otherTogether'],
            [4, 6],
          ),
        ]
      : []),
  ];
  const against = (name: Measured) => median(rounds.map((round) => round.bare / round[name])).toFixed(2);
  const bare = `A row and two balances written in one statement with nothing looked at and no other index: ${of('bare').toFixed(0)} /s, ${against('reference')} × pgbench -N${hasPgledger ? `, ${against('otherSpread')} × pgledger, spread` : ''}.`;
  return { figures, bare };
}

// ---- a set at a time ----

/** 100 000 transfers in chunks, each for another member, against as many bare rows with only a primary key. */
async function benchSet(database: Database, admin: Database): Promise<Figure> {
  const rounds: { bare: number; posted: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await admin.runScript('vacuum analyze');
    const bare = await inSeconds(() => inChunks((first) => writeBare(admin, round, first)));
    const posted = await inSeconds(() => inChunks((first) => postPlaces(database, round, first)));
    rounds.push({ bare, posted });
  }
  return {
    what: `${SET} transfers in sets of ${CHUNK}`,
    measured: median(rounds.map((round) => round.posted)),
    unit: 's',
    reference: { what: 'bare rows', measured: median(rounds.map((round) => round.bare)) },
    value: median(rounds.map((round) => round.posted / round.bare)),
    bar: 3,
    aim: 2,
    atMost: true,
  };
}

async function inChunks(work: (first: number) => Promise<unknown>): Promise<void> {
  for (let first = 1; first <= SET; first += CHUNK) await work(first);
}

const postPlaces = (database: Database, round: number, first: number) =>
  postSet(
    database,
    sql`
    select 'set/' || ${round}::text || '/' || m, ${memberAccount(sql`m`, 'primary')}, ${memberAccount(sql`m`, 'trade_escrow')}, 1000000::bigint, 'trade_place', 'trade ' || m, now(), null::text
    from generate_series(${first}::bigint, ${first + CHUNK - 1}) m order by m`,
  );

const writeBare = (database: Database, round: number, first: number) =>
  inTransaction(database.db, async (tx) => {
    await sql`
      insert into bare
      select ${round}::bigint * ${SET}::bigint + m, m * 32 + 1, m * 32 + 3, 1000000, 1, 1, null, 1, now(), now(), 'trade_place', 'set/' || ${round}::text || '/' || m, 'trade ' || m, null, sha256('x')
      from generate_series(${first}::bigint, ${first + CHUNK - 1}) m`.execute(tx);
    await sql`
      update bare_account a set balance = balance - 1
      from generate_series(${first}::bigint, ${first + CHUNK - 1}) m where a.id in (m * 32 + 1, m * 32 + 3)`.execute(
      tx,
    );
  });

// ---- statement pages ----

/** Pages of a member with a million movements: anywhere in the statement, and with the filters that match least. */
async function benchPages(database: Database, admin: Database): Promise<Figure[]> {
  await inTransaction(database.db, (tx) => openMemberAccounts(tx, [BUSY_MEMBER + BigInt(SET)]));
  const memberId = BUSY_MEMBER + BigInt(SET);
  await postSet(
    database,
    sql`
    select 'busy', ${houseAccount('gateway')}, ${memberAccount(memberId, 'primary')}, 1000000000000, 'deposit', 'start', now(), null::text`,
  );
  for (let first = 1; first < MOVEMENTS / 2; first += CHUNK) await postSet(database, movements(memberId, first));
  await admin.runScript('vacuum analyze');
  const { firstId, lastId } = await getRow(database.db)<{ firstId: bigint; lastId: bigint }>`
    select min(id) as "firstId", max(id) as "lastId" from ledger.transfer where key like 'busy%'`;
  const anywhere = () => BigInt(Math.floor(Number(firstId) + Math.random() * Number(lastId - firstId))) * 2n;
  const old = new Date(Date.now() - 365 * 24 * 3_600_000);
  return [
    await benchPage(database, 'a page anywhere in 1 000 000 movements, p95', () => ({ memberId, before: anywhere() })),
    await benchPage(database, 'the same of one wallet and one kind, p95', () => ({
      memberId,
      before: anywhere(),
      classes: ['primary'],
      reasons: ['trade_place'],
    })),
    await benchPage(database, 'the one deposit among them, p95', () => ({ memberId, reasons: ['deposit'] })),
    await benchPage(database, 'a period without movements, p95', () => ({ memberId, to: old })),
  ];
}

const movements = (memberId: bigint, first: number) => sql`
  select 'busy/' || n,
    case when n % 2 = 1 then ${memberAccount(memberId, 'primary')} else ${memberAccount(memberId, 'trade_escrow')} end,
    case when n % 2 = 1 then ${memberAccount(memberId, 'trade_escrow')} else ${memberAccount(memberId, 'primary')} end,
    1::bigint, case when n % 2 = 1 then 'trade_place' else 'trade_cancel' end, 'trade ' || n, now(), null::text
  from generate_series(${first}::bigint, ${first + CHUNK - 1}) n order by n`;

async function benchPage(
  database: Database,
  what: string,
  query: () => Omit<StatementQuery, 'limit'>,
): Promise<Figure> {
  const call = () => listStatement(database.db, { ...query(), limit: 26 });
  return atMost(what, await measureCalls(PAGES, call), 'ms', 10, 3);
}
