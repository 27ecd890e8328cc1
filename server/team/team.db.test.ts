import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { ensureCompany } from '#server/accounts/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import { countTeams, findLevel, levelMembers, listLevel, sponsorLinks, sumTeamCounts } from './index.ts';
import { findShortList, listByLevel, listByWord } from './list-level.ts';
import { plant, plantChain, plantUnder } from './tree-world.test-setup.ts';

const database = closeAfterAll(await openTestDatabase());
const { db } = database;
const context = testContext(database);
const company = await ensureCompany(context);

const newTop = async () => (await plantUnder(db, company, 1, 'Top'))[0] as bigint;
const idsOf = async (relation: RawBuilder<unknown>): Promise<bigint[]> => {
  const { rows } = await sql<{ member_id: bigint }>`${relation}`.execute(db);
  return rows.map((row) => row.member_id).toSorted((a, b) => Number(a - b));
};
const countsOf = async (id: bigint) => (await countTeams(db, [id])).get(id)?.byLevel.map(Number);
const newestFirst = (ids: readonly bigint[]) => ids.toReversed();

test('ten levels count: the eleventh below a member is not in the team', async () => {
  const top = await newTop();
  const chain = await plantChain(db, top, 12);
  expect(await countsOf(top)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect(await countsOf(chain[4] as bigint)).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
  for (const [index, id] of chain.entries()) {
    const level = index < 10 ? index + 1 : undefined;
    expect(await findLevel(db, top, id)).toBe(level);
    if (level !== undefined) expect(await listLevel(db, { memberId: top, level, limit: 10 })).toEqual([id]);
  }
});

test('no member is in their own team, nor in that of a member below or beside them', async () => {
  const top = await newTop();
  const [first, second] = (await plantUnder(db, top, 2)) as [bigint, bigint];
  expect(await findLevel(db, top, top)).toBeUndefined();
  expect(await findLevel(db, first, top)).toBeUndefined();
  expect(await findLevel(db, first, second)).toBeUndefined();
  expect(await findLevel(db, first, 999_999n)).toBeUndefined();
});

test('a wide tree is read level by level, newest first, each member once over all pages', async () => {
  const top = await newTop();
  const first = await plantUnder(db, top, 3);
  const second = (await Promise.all(first.map((id) => plantUnder(db, id, 4)))).flat().toSorted((a, b) => Number(a - b));
  const third = (await Promise.all(second.map((id) => plantUnder(db, id, 2)))).flat().toSorted((a, b) => Number(a - b));
  expect(await countsOf(top)).toEqual([3, 12, 24, 0, 0, 0, 0, 0, 0, 0]);
  for (const [index, members] of [first, second, third].entries()) {
    const level = index + 1;
    expect(await idsOf(levelMembers(top, level))).toEqual(members);
    const read: bigint[] = [];
    for (let before: bigint | undefined; ; before = read.at(-1)) {
      const page = await listLevel(db, { memberId: top, level, before, limit: 5 });
      if (page.length === 0) break;
      read.push(...page);
    }
    expect(read).toEqual(newestFirst(members));
  }
  const links = await sql<{ member_id: bigint; sponsor_id: bigint | null }>`${sponsorLinks}`.execute(db);
  const sponsors = new Map(links.rows.map((row) => [row.member_id, row.sponsor_id]));
  expect(sponsors.get(first[0] as bigint)).toBe(top);
  expect(sponsors.get(company)).toBeNull();
});

test('members get their ancestor paths when one statement inserts them all', async () => {
  const top = await newTop();
  const { rows } = await sql<{ last: bigint }>`select max(id) as last from identity.member`.execute(db);
  const next = (rows[0]?.last ?? 0n) + 1n;
  const ids = await plant(
    db,
    Array.from({ length: 12 }, (_, index) => ({
      name: `Link ${index}`,
      sponsorId: index === 0 ? top : next + BigInt(index) - 1n,
    })),
  );
  expect(ids[0]).toBe(next);
  expect(await countsOf(top)).toEqual(Array(10).fill(1));
  expect(await findLevel(db, top, ids[9] as bigint)).toBe(10);
});

test('inserting a member before their sponsor fails, with the whole statement', async () => {
  const { rows } = await sql<{ next: bigint }>`select max(id) + 100 as next from identity.member`.execute(db);
  const sponsor = rows[0]?.next as bigint;
  const written = sql`
    insert into identity.member (id, referral_code, sponsor_id, name, email, mobile_number, password_hash, created_at)
    overriding system value
    select id, 'TW' || id, sponsor_id, 'Early', 'early@mail.test', '+919876544127', '-', now()
    from (values (${sponsor + 1n}::bigint, ${sponsor}::bigint), (${sponsor}, 1)) as early(id, sponsor_id)`.execute(db);
  await expect(written).rejects.toMatchObject({ code: 'TM002' });
  expect((await countTeams(db, [sponsor])).get(sponsor)?.total).toBe(0n);
});

test('counts are the same before and after aggregation, however often it runs', async () => {
  const top = await newTop();
  const [direct] = (await plantUnder(db, top, 3)) as [bigint];
  await plantUnder(db, direct, 5);
  const expected = [3, 5, 0, 0, 0, 0, 0, 0, 0, 0];
  expect(await countsOf(top)).toEqual(expected);
  const watermark = await sumTeamCounts(context);
  expect(await countsOf(top)).toEqual(expected);
  expect(await sumTeamCounts(context)).toBeGreaterThanOrEqual(watermark);
  expect(await countsOf(top)).toEqual(expected);
  await plantUnder(db, direct, 2);
  expect(await countsOf(top)).toEqual([3, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
  await sumTeamCounts(context);
  await sumTeamCounts(context);
  expect(await countsOf(top)).toEqual([3, 7, 0, 0, 0, 0, 0, 0, 0, 0]);
  const summed = await sql<{ members: bigint }>`
    select members from team.level_count where member_id = ${top} and level = 2`.execute(db);
  expect(summed.rows).toEqual([{ members: 7n }]);
});

test('a member without a team, or an unknown one, has a count of 0', async () => {
  const top = await newTop();
  const counts = await countTeams(db, [top, 999_999n]);
  expect([...counts.keys()]).toEqual([top, 999_999n]);
  expect([...counts.values()].map(({ total }) => total)).toEqual([0n, 0n]);
});

test('a sponsor never changes, and a node is never moved or deleted', async () => {
  const top = await newTop();
  const [direct] = (await plantUnder(db, top, 1)) as [bigint];
  const refused = { code: 'TM001' };
  const statements = [
    sql`update identity.member set sponsor_id = ${company} where id = ${direct}`,
    sql`update team.node set upline = '{}' where member_id = ${direct}`,
    sql`delete from team.node where member_id = ${direct}`,
    sql`truncate team.node`,
  ];
  for (const statement of statements) await expect(statement.execute(db)).rejects.toMatchObject(refused);
  await sql`update identity.member set sponsor_id = sponsor_id, email = 'new@mail.test' where id = ${direct}`.execute(
    db,
  );
  expect(await findLevel(db, top, direct)).toBe(1);
});

test.each([0, 11, 1.5, -1])('there is no level %d', async (level) => {
  await expect(listLevel(db, { memberId: 1n, level, limit: 1 })).rejects.toThrow('there is no level');
});

// ---- search ----

test('members are found by any word prefix of their name and Registered Id, in any case', async () => {
  const top = await newTop();
  const names = ['Anna Berg', 'Bert van der Anlage', 'ANNABEL Öst', 'Joanna Berg', 'Percy 100% _x', 'Soren Łoś'];
  const ids = await plantUnder(db, top, names.length, ...names);
  const find = async (search: string) => {
    const found = await listLevel(db, { memberId: top, level: 1, search, limit: 10 });
    return found.map((id) => names[ids.indexOf(id)]);
  };
  expect(await find('an')).toEqual(['ANNABEL Öst', 'Bert van der Anlage', 'Anna Berg']);
  expect(await find('ANNA')).toEqual(['ANNABEL Öst', 'Anna Berg']);
  expect(await find('berg')).toEqual(['Joanna Berg', 'Anna Berg']);
  expect(await find('ber an')).toEqual(['Bert van der Anlage', 'Anna Berg']);
  for (const word of ['öst', 'ÖST', 'ost', 'o\u0308st']) expect(await find(word)).toEqual(['ANNABEL Öst']);
  expect(await find('søren los')).toEqual(['Soren Łoś']);
  expect(await find('100%')).toEqual(['Percy 100% _x']);
  expect(await find('%')).toEqual([]);
  expect(await find('_')).toEqual(['Percy 100% _x']);
  expect(await find('nna')).toEqual([]);
  const { rows } = await sql<{ code: string }>`
    select referral_code as code from identity.member where id = ${ids[3]}`.execute(db);
  expect(await find((rows[0]?.code ?? '').slice(0, 9).toLowerCase())).toEqual(['Joanna Berg']);
  expect(await find('tw')).toHaveLength(names.length);
});

test('a member who changes their name is found under the new one only', async () => {
  const top = await newTop();
  const [id] = (await plantUnder(db, top, 1, 'Anna Berg')) as [bigint];
  const find = (search: string) => listLevel(db, { memberId: top, level: 1, search, limit: 10 });
  expect(await find('berg')).toEqual([id]);
  await sql`update identity.member set name = 'Anna Lund' where id = ${id}`.execute(db);
  expect(await find('berg')).toEqual([]);
  expect(await find('lund')).toEqual([id]);
  expect(await find('anna')).toEqual([id]);
});

test('a search by level and a search by word find the same, on every page', async () => {
  const top = await newTop();
  const first = await plantUnder(db, top, 4, 'Anna Berg');
  const names = ['Anna Berg', 'Annabel Anderson', 'Bert Berg', 'Anders Bergman'];
  for (const sponsorId of first) await plantUnder(db, sponsorId, 10, ...names);
  const other = await newTop();
  await plantUnder(db, other, 10, ...names);
  const searches = [['an'], ['Annabel'], ['berg'], ['berg', 'an'], ['bergm', 'and'], ['nobody'], ['tw', 'b']];
  let found = 0;
  for (const words of searches) {
    for (const level of [1, 2, 3]) {
      for (let before: bigint | undefined, last: bigint | undefined | null = null; last !== undefined; before = last) {
        const page = { memberId: top, level, before, limit: 3 };
        const byLevel = await listByLevel(db, page, words);
        expect(await listByWord(db, page, words)).toEqual(byLevel);
        last = byLevel.at(-1);
        found += byLevel.length;
      }
    }
  }
  expect(found).toBeGreaterThan(100);
});

test('a list can be sorted when the level, or what is found of it, is short enough', async () => {
  const top = await newTop();
  const ids = await plantUnder(db, top, 6, 'Anna Berg', 'Bert Lund');
  const shortList = async (most: number, search?: string) => {
    const members = await findShortList(db, { memberId: top, level: 1, search }, most);
    return members === undefined ? undefined : await idsOf(members);
  };
  const annas = ids.filter((_, index) => index % 2 === 0);
  expect(await shortList(6)).toEqual(ids);
  expect(await shortList(6, 'anna b')).toEqual(annas);
  expect(await shortList(5)).toBeUndefined();
  const rare = `Zoe${top}`;
  const [zoe] = await plantUnder(db, top, 1, `${rare} Berg`);
  expect(await shortList(5, rare)).toEqual([zoe]);
  expect(await shortList(5, 'tw')).toBeUndefined();
});
