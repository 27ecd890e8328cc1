import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { findRow, getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, openMemberAccounts, postFrom } from '#server/ledger/index.ts';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { insertSession, type MadeSession, settleChunk } from '#test/worlds/settled-session.ts';
import { againstBare, atMost, copyAdded, growth, inSeconds, keepBefore, onCluster } from './measure.ts';
import { payAlone } from './pay-alone.ts';
import { type Figure, median, report } from './report.ts';
import { inBatches, openWorld } from './world.ts';

/** Number of members, each with a settled trade, and of rounds: small sizes are noisy. */
const SIZES = [
  { members: 10_000, rounds: 3 },
  { members: 100_000, rounds: 2 },
  { members: 1_000_000, rounds: 1 },
] as const;
const DAY = '2026-03-03';

type Round = { readonly shared: number; readonly bare: number; readonly memoryMb: number; readonly lines: number };

/**
 * The bonus run of a session against plainly writing the same rows with only a primary key, at three sizes
 * (docs/performance.md). Every member traded, in a deep and wide tree.
 *
 * @param sizes numbers of members; all three by default
 * @returns whether every figure meets its target
 */
export async function runIncomeBench(sizes: readonly number[] = []): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const measured = new Map<number, Round>();
    for (const { members, rounds } of SIZES) {
      if (sizes.length === 0 || sizes.includes(members))
        measured.set(members, await benchSize(cluster, members, rounds));
    }
    const lines = [...measured].map(([members, round]) => `${members} members: ${round.lines} lines`).join(', ');
    return report('income', 'Bonus run', figuresOf(measured), [
      `${server} ${SIZES.map(({ members, rounds }) => `${members} members: ${rounds} round${rounds === 1 ? '' : 's'}`).join(', ')}; figures are medians of the rounds. ${lines}. The tree: in each ten, eight stand below one another, one opens a chain below the member of a tenth of its number, and one stands directly under one of 97. The run is whole: level sums, lines, transfers, standings, messages, the house's part, hashes and the integrity check, in a process of its own. Bare writing: level sums, lines, standings, transfers, notifications and blocks by INSERT … SELECT, accounts by UPDATE, one statement a table.`,
    ]);
  });
}

function figuresOf(measured: ReadonlyMap<number, Round>): Figure[] {
  const all = [...measured];
  const [, largest] = all.at(-1) as [number, Round];
  return [
    ...all.map(([members, round]) =>
      againstBare(
        `bonus run of ${members} trades`,
        round.shared,
        round.bare,
        members >= 1_000_000 ? [1.5, 1.3] : [3, 2],
      ),
    ),
    ...all.slice(1).map(([members, round], index) => {
      const [fewer, before] = all[index] as [number, Round];
      return growth(`bonus run of ${members} trades`, round.shared, (before.shared * members) / fewer);
    }),
    atMost('Node memory while sharing out', largest.memoryMb, 'MB', 300, 150),
  ];
}

// ---- one size ----

async function benchSize(cluster: Cluster, members: number, rounds: number): Promise<Round> {
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1)
    measured.push(await benchRun(cluster, `income_${members}_${round}`, members));
  const of = (name: keyof Round) => median(measured.map((round) => round[name]));
  return { shared: of('shared'), bare: of('bare'), memoryMb: of('memoryMb'), lines: of('lines') };
}

async function benchRun(cluster: Cluster, name: string, members: number): Promise<Round> {
  const world = await openWorld(cluster, name, 0, 0n);
  const { database, context } = world;
  try {
    const session = await inTransaction(context.db, (tx) => insertSession(tx, DAY));
    await inBatches(members, (first, last) => addMembers(context, first, last));
    await inBatches(members, (first, last) => settleTrades(context, session, first, last));
    await keepBefore(database, 'bare', ADDED);
    const { seconds: shared, memoryMb } = await payAlone(world.url, world.recording.folder);
    const lines = await countLines(context);
    const bare = await inSeconds(() => writeBare(database));
    process.stderr.write(`${name}: shared in ${shared.toFixed(2)} s (bare ${bare.toFixed(2)}), ${lines} lines\n`);
    return { shared, bare, memoryMb, lines };
  } finally {
    await world.remove();
  }
}

/** Inserted directly: signing up is not measured. Deep: chains of eight levels; wide: 97 members with many directs. */
export async function addMembers({ db }: Context, first: bigint, last: bigint): Promise<void> {
  const ids = Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index));
  await inTransaction(db, async (tx) => {
    await sql`
      insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
      select 'TW' || lpad(n::text, 8, '0'),
        case when n <= 200 then 1 when n % 10 = 0 then n / 10 when n % 10 = 9 then 2 + n % 97 else n - 1 end,
        'Member ' || n, 'm' || n || '@example.com', '+919876543210', '-', now()
      from unnest(${ids}::bigint[]) n order by n`.execute(tx);
    await openMemberAccounts(tx, ids);
  });
}

/** One trade per member, opened and settled by the product's statements: a third gains, a third loses. */
export function settleTrades({ db }: Context, session: MadeSession, first: bigint, last: bigint): Promise<void> {
  return inTransaction(db, async (tx) => {
    const trades = await getRow(tx)<{ first: bigint; last: bigint }>`
      with placed as (
        insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
        select n, (array['btc', 'eth', 'ltc'])[1 + n % 3], 'primary', 100000000 + n * 137 % 400000000, now(), ${session.opensAt}::timestamptz - interval '1 minute'
        from generate_series(${first}::bigint, ${last}::bigint) n order by n
        returning id)
      select min(id) as first, max(id) as last from placed`;
    await postFrom(
      tx,
      sql`
        select 'bench/' || id || '/' || m.reason, m.from_account, m.to_account, amount, m.reason, 'trade ' || id, requested_at, null::text
        from trading.trade cross join lateral (values
          (1, ${houseAccount('gateway')}, ${memberAccount(sql`member_id`, 'primary')}, 'deposit'),
          (2, ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'trade_escrow')}, 'trade_place')
        ) as m(place, from_account, to_account, reason)
        where id between ${trades.first} and ${trades.last} order by id, m.place`,
    );
    await settleChunk(tx, session, { after: trades.first - 1n, upTo: trades.last });
  });
}

async function countLines({ db }: Context): Promise<number> {
  const run = await findRow(db)<{ lines: number; state: string }>`
    select (select count(*)::int from income.bonus_line) as lines, state from income.bonus_run`;
  if (run?.state !== 'done') throw new Error('the session was not shared out');
  return run.lines;
}

// ---- the same rows by plain statements ----

/** Tables the run adds to, with their keys. */
const ADDED = {
  'ledger.transfer': 'id',
  'income.level_sum': 'level, member_id',
  'income.bonus_line': 'session_day, member_id, level',
  'income.standing': 'member_id',
  'income.bonus_block': 'session_day, no',
  'notify.notification': 'member_id, id',
};

/** Writes every row of the run again by plain statements, with the same columns. */
async function writeBare(database: Database): Promise<void> {
  const [, ...added] = Object.keys(ADDED);
  for (const statement of copyAdded('bare', added)) await database.runScript(statement);
}
