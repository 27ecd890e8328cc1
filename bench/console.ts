import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { houseAccount, memberAccount, postFrom, sealLedger } from '#server/ledger/index.ts';
import { getOverview } from '#server/operator/get-overview.ts';
import { findMembers } from '#server/operator/members/find-members.ts';
import { atMost, measureCalls, onCluster } from './measure.ts';
import { type Figure, report } from './report.ts';
import { plantTree, TOP } from './team-world.ts';
import { inBatches, openWorld, START, type World } from './world.ts';

const MEMBERS = 1_000_000;
const CALLS = 200;
const PAGE = 25;
/** Pending withdrawals: a very long queue. */
const WAITING = 2_000;
const ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const OVERVIEW_BAR_MS = 50;
const SEARCH_BAR_MS = 100;

/**
 * Opens the overview and searches a very large number of members by every search term (docs/performance.md), through the
 * functions that the routes call.
 *
 * @param members their number
 * @returns whether every figure meets its target
 */
export async function runConsoleBench(members = MEMBERS): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const world = await openWorld(cluster, 'console', 1, 1_000_000_000n);
    await plantTree(world, members);
    await giveMoney(world, members);
    await addQueue(world);
    await world.database.runScript('vacuum analyze');
    const figures = [
      await measure('Overview', OVERVIEW_BAR_MS, () => getOverview(world.context)),
      ...(await measureSearches(world.context, members)),
    ];
    await world.remove();
    return report('console', 'Operators’ console', figures, [
      `${server} ${members} members with a deposit and a payout address each; ${WAITING} withdrawals wait. p95 of ${CALLS} calls of the operation for pages of ${PAGE}, each with its trips to the database.`,
    ]);
  });
}

async function giveMoney({ context }: World, members: number): Promise<void> {
  await inBatches(members, async (first, last) => {
    const ids = sql`generate_series(${first}::bigint, ${last}::bigint) as id`;
    await inTransaction(context.db, async (tx) => {
      await postFrom(
        tx,
        sql`
          select 'bench/deposit/' || id, ${houseAccount('gateway')}, ${memberAccount(sql`id`, 'primary')}, 100000000::bigint,
            'deposit', 'bench', ${START}::timestamptz, null::text
          from ${ids} order by id`,
      );
      await sql`
        insert into funds.payout_address (member_id, network, address, saved_at)
        select id, 'ERC20', '0x' || md5(id::text) || '00000000', ${START}::timestamptz
        from ${ids}`.execute(tx);
    });
  });
  await sealLedger(context);
}

async function addQueue({ context: { db } }: World): Promise<void> {
  await sql`
    insert into funds.withdrawal (member_id, reference, wallet, amount_micros, fee_micros, fee_plan_id, network, address, state,
      requested_on, created_at, updated_at)
    select ${TOP}::bigint + n, 'WD-' || lpad(n::text, 6, 'X'), 'primary', 50000000, 1000000, 1, 'ERC20', ${ADDRESS}, 'requested',
      '2026-03-04', ${START}::timestamptz, ${START}::timestamptz
    from generate_series(1, ${WAITING}::int) as n`.execute(db);
}

async function measureSearches(context: Context, members: number): Promise<Figure[]> {
  const middle = TOP + BigInt(members) / 2n;
  const code = `TW${middle.toString().padStart(8, '0')}`;
  const address = await getValue(context.db)<string>`
    select address from funds.payout_address where member_id = ${middle}`;
  const searches: [what: string, search: string | undefined][] = [
    ['All members', undefined],
    ['By id', middle.toString()],
    ['By Registered Id', code],
    ['By a common beginning of names', 'ka'],
    ['By two common beginnings of names', 'ka ro'],
    ['By the beginning of a mail address', 'm5'],
    ['By the last digits of a mobile number that all have', '543210'],
    ['By payout address', address],
    ['By reference', 'WD-XXXX17'],
    ['By nothing that is there', 'nobody at all'],
  ];
  const figures: Figure[] = [];
  for (const [what, search] of searches)
    figures.push(await measure(what, SEARCH_BAR_MS, () => findMembers(context, { search, limit: PAGE })));
  return figures;
}

async function measure(what: string, barMs: number, call: () => Promise<unknown>): Promise<Figure> {
  return atMost(what, await measureCalls(CALLS, call), 'ms', barMs, barMs / 2);
}
