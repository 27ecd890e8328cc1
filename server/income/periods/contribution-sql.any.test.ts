import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { runs } from '#test/kit/property-runs.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { contributions, flagsOf, sumContributions } from './contribution-sql.ts';

const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:20:00Z'));

/** A forest of long chains, stars and everything in between; member 1 is the company. */
const FOREST = 120;
const sponsors = Array.from({ length: FOREST }, (_, index) => {
  const last = BigInt(index + 1);
  if (index % 4 < 2) return last;
  return 1n + BigInt((index * 7919) % (index + 1));
});
const ids = await addTeam(context, sponsors);
const sponsorOf = new Map(ids.map((id, index) => [id, sponsors[index] as bigint]));
const uplineOf = (id: bigint): bigint[] => {
  const upline: bigint[] = [];
  for (let at = sponsorOf.get(id); at !== undefined && upline.length < 10; at = sponsorOf.get(at)) upline.push(at);
  return upline;
};

type Drawn = {
  readonly put: bigint;
  readonly rewardPut: bigint;
  readonly isPaid: boolean;
  readonly isRewarded: boolean;
};
const put = fc.oneof(fc.constant(0n), fc.constantFrom(1n, 9n, 10n), fc.bigInt({ min: 0n, max: 10n ** 14n }));
const member = fc.record({ put, rewardPut: put, isPaid: fc.boolean(), isRewarded: fc.boolean() });

/** The parts as the rule says them, one trader at a time. */
function partsByRule(members: readonly Drawn[], flag: 'isPaid' | 'isRewarded', put: 'put' | 'rewardPut') {
  const parts = new Map(ids.filter((_, index) => members[index]?.[flag]).map((id) => [id, 0n]));
  for (const [index, one] of members.entries()) {
    const sharers = uplineOf(ids[index] as bigint).filter((id) => parts.has(id));
    for (const id of sharers) parts.set(id, (parts.get(id) ?? 0n) + one[put] / BigInt(sharers.length));
  }
  return parts;
}

const partsOf = (range: { readonly after: bigint; readonly upTo: bigint }) =>
  sumContributions(sql`(select flags from flagged)`, sql`select member_id, put, reward_put from given`, range, 'two');

test('two pools are split at once as each by its rule, with anybody qualifying for either and traders summed up in parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { minLength: FOREST, maxLength: FOREST }),
      fc.integer({ min: 0, max: FOREST + 1 }),
      async (members, cut) => {
        const of = <Value>(read: (one: Drawn) => Value) => members.map(read);
        const { rows } = await sql<{
          id: bigint;
          isPaid: boolean;
          isRewarded: boolean;
          paid: bigint;
          rewarded: bigint;
        }>`
        with given as materialized (
          select * from unnest(${ids}::bigint[], ${of((one) => one.put)}::bigint[], ${of((one) => one.rewardPut)}::bigint[],
            ${of((one) => one.isPaid)}::boolean[], ${of((one) => one.isRewarded)}::boolean[])
            as given(member_id, put, reward_put, is_paid, is_rewarded)),
        flagged as materialized (${flagsOf(sql`select member_id, is_paid, is_rewarded from given where is_paid or is_rewarded`)}),
        part as (
          ${partsOf({ after: 0n, upTo: BigInt(cut) })}
          union all
          ${partsOf({ after: BigInt(cut), upTo: BigInt(FOREST + 1) })})
        select g.member_id as id, g.is_paid as "isPaid", g.is_rewarded as "isRewarded", coalesce(sum(p.contributed), 0)::bigint as paid,
          coalesce(sum(p.reward_contributed), 0)::bigint as rewarded
        from given g left join part p on p.member_id = g.member_id group by 1, 2, 3 order by 1`.execute(context.db);
        const found = (flag: 'isPaid' | 'isRewarded', amount: 'paid' | 'rewarded') =>
          new Map(rows.filter((row) => row[flag]).map((row) => [row.id, row[amount]]));
        expect(found('isPaid', 'paid')).toEqual(partsByRule(members, 'isPaid', 'put'));
        expect(found('isRewarded', 'rewarded')).toEqual(partsByRule(members, 'isRewarded', 'rewardPut'));
      },
    ),
    { numRuns: runs(30) },
  );
});

test('one pool is split as the rule says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(member, { minLength: FOREST, maxLength: FOREST }), async (members) => {
      const { rows } = await sql<{ id: bigint; paid: bigint }>`
        with given as materialized (
          select * from unnest(${ids}::bigint[], ${members.map((one) => one.put)}::bigint[], ${members.map((one) => one.isPaid)}::boolean[])
            as given(member_id, put, is_paid)),
        ${contributions(
          sql`select member_id, true as is_paid, false as is_rewarded from given where is_paid`,
          sql`select member_id, put, 0::bigint as reward_put from given`,
        )}
        select member_id as id, contributed as paid from part order by member_id`.execute(context.db);
      expect(new Map(rows.map(({ id, paid }) => [id, paid]))).toEqual(partsByRule(members, 'isPaid', 'put'));
    }),
    { numRuns: runs(30) },
  );
});
