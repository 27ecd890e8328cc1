import { sql } from 'kysely';
import { getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { openMemberAccounts } from '#server/ledger/index.ts';
import { FIRST_MEMBER, inBatches, type World } from './world.ts';

/** Shares of members at each of the first nine levels; half a share at the tenth, the rest in chains below. */
const PARTS = 10;
/** Members in each chain below the tenth level. */
const CHAIN = 10;
/** Parts of names, so that some prefixes are common and others rare. */
const SYLLABLES = 'ka ro li ne mo ta ber gun sil va dor es pe fin ja han lu win sto ge ri bel an za'.split(' ');
const SHARED_SESSIONS = 30;
/** Members with income lines and growth points, including those the benchmark reads. */
const WITH_LINES = 1_000;

/** The head of the tree: the first member under the company. */
export const TOP = BigInt(FIRST_MEMBER);

/**
 * A very deep and wide tree: ten full levels below one member, whose directs joined first, most of each level below a few
 * members of the one before, and chains below the tenth. Written through the same triggers as registrations.
 */
export async function plantTree(world: World, members: number): Promise<void> {
  const width = members / PARTS;
  await inBatches(members - 1, async (first, last) => {
    // The head already exists.
    await addMembers(world, first + 1n, last + 1n, width);
  });
  const { last, depth } = await getRow(world.context.db)<{ last: bigint; depth: number }>`
    select max(member_id) as last, max(cardinality(upline)) as depth from team.node`;
  if (last !== TOP + BigInt(members) - 1n || depth !== PARTS) throw new Error('the tree has another form');
}

/** Ids are consecutive, so the id gives the position: `at` counts the members below the head. */
async function addMembers({ context }: World, first: bigint, last: bigint, width: number): Promise<void> {
  const chains = width / 2 / CHAIN;
  const syllable = (place: number) => sql`syllables[1 + (hash >> ${place * 5}::int) % ${SYLLABLES.length}::int]`;
  await inTransaction(context.db, async (tx) => {
    await sql`
      insert into identity.member (referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
      select 'TW' || lpad(id::text, 8, '0'),
        case
          when level = 1 then ${TOP}
          when level <= ${PARTS} then ${TOP} + 1 + (level - 2) * ${width}
            + floor(power(place::float8 / ${width}, 2) * ${width})::bigint
          when chained < ${chains} then ${TOP} + 1 + ${(PARTS - 1) * width}::bigint + chained
          else id - ${chains}
        end,
        initcap(${syllable(0)} || ${syllable(1)}) || ' ' || initcap(${syllable(2)} || ${syllable(3)} || ${syllable(4)}),
        'm' || id || '@example.com', '+919876543210', '-', now()
      from (select id, id - ${TOP} - 1 as at, (hashint8(id) & 2147483647) as hash, ${SYLLABLES}::text[] as syllables
            from generate_series(${first}::bigint, ${last}::bigint) as id) as member
      cross join lateral (
        select at / ${width}::bigint + case when at >= ${(PARTS - 0.5) * width}::bigint then 2 else 1 end as level,
          at % ${width}::bigint as place, at - ${(PARTS - 0.5) * width}::bigint as chained) as stand
      order by id`.execute(tx);
    await openMemberAccounts(
      tx,
      Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index)),
    );
  });
}

/** What thirty bonus runs leave: every member's standing, and lines and growth of the members read. */
export async function giveFigures({ context: { db } }: World): Promise<void> {
  await sql`
    insert into income.bonus_run (session_day, closes_at, fee_plan_id, state, collected_level, traded_members, volume, trade_fees,
      performance_fees, referral_bonus, level_bonus, team_profit, pool_weekly, pool_monthly, pool_rewards, trade_revenue,
      performance_revenue, finished_at)
    select day, day + interval '17 hours 30 minutes', 1, 'done', 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, now()
    from (select date '2026-03-03' - n as day from generate_series(0, ${SHARED_SESSIONS - 1}::int) as n) as session`.execute(
    db,
  );
  await sql`
    insert into income.standing (member_id, sponsor_id, last_traded_on, volume, leg_volume, active_by_level)
    select member_id, sponsor_id, date '2026-03-03' - (member_id % 60)::int, member_id % 997 * 1000000,
      member_id % 99991 * 1000000, array[20, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    from team.node`.execute(db);
  await sql`
    insert into income.bonus_line (session_day, member_id, level, traders, volume, trade_fees, performance_fees, bonus_bps, bonus,
      profit_bps, team_profit, active_directs)
    select r.session_day, member_id, level, 10, 100000000, 400000, 0, 100, 4000, 0, 0, 20
    from income.bonus_run r cross join generate_series(${TOP}::bigint, ${TOP + BigInt(WITH_LINES)}::bigint) as member_id
    cross join generate_series(1, 10) as level
    order by 1, 2, 3`.execute(db);
  await sql`
    insert into income.growth (member_id, week, members, active)
    select member_id, date '2026-03-02' - 7 * week, 1000 - week, 10
    from generate_series(${TOP}::bigint, ${TOP + BigInt(WITH_LINES)}::bigint) as member_id cross join generate_series(1, 60) as week`.execute(
    db,
  );
}
