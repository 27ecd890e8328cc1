import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TeamSort, team, teamSorts } from '#contract/team.ts';
import { ensureCompany } from '#server/accounts/index.ts';
import { sumTeamCounts } from '#server/team/index.ts';
import { plantChain, plantUnder } from '#server/team/tree-world.test-setup.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { testContext } from '#test/worlds/builders.ts';
import { signUp } from '#test/worlds/members.ts';
import { mountIncome } from '../index.ts';
import { giveQualifications, shareSession } from './figures-world.test-setup.ts';
import { getTeam } from './get-team.ts';
import type { MemberPage } from './list-members.ts';
import { listReferrals } from './list-members.ts';

const database = closeAfterAll(await openTestDatabase());
const { db } = database;
const context = testContext(database);
const company = await ensureCompany(context);

const newTop = async () => (await plantUnder(db, company, 1, 'Top'))[0] as bigint;
type Asked = Partial<Parameters<typeof listReferrals>[2]>;
const ask = async (callerId: bigint, query: Asked = {}): Promise<MemberPage> =>
  team.listReferrals.data.parse(await listReferrals(context, callerId, { limit: 25, sort: 'joined', ...query }));
const idsOf = ({ items }: MemberPage) => items.map((item) => BigInt(item.id));

async function readAll(callerId: bigint, query: Asked): Promise<MemberPage['items']> {
  const items: MemberPage['items'] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(callerId, { ...query, cursor });
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

test('a direct is shown with masked mobile and email, live team size, and what the last shared session says', async () => {
  const top = await newTop();
  const [anna, bert] = (await plantUnder(db, top, 2, 'Anna Berg', 'Bert Lund')) as [bigint, bigint];
  const [carl] = (await plantUnder(db, anna, 2)) as [bigint];
  await plantUnder(db, carl, 1);
  await shareSession(db, '2026-03-04');
  await giveQualifications(
    db,
    { memberId: anna, lastTradedOn: '2026-02-03', volume: 12_500_000n },
    { memberId: bert, lastTradedOn: '2026-02-02', volume: 0n },
  );
  const page = await ask(top);
  expect(page).toMatchObject({ next_cursor: null, total: 2 });
  const { rows } = await sql<{ code: string }>`
    select referral_code as code from identity.member where id = ${anna}`.execute(db);
  expect(page.items[1]).toEqual({
    id: String(anna),
    referral_code: rows[0]?.code,
    name: 'Anna Berg',
    mobile: '••••••4127',
    email: 'a•••@m•••.test',
    joined_at: '2026-03-04T12:00:00.000Z',
    active: true,
    volume: 12.5,
    team_size: 3,
    directs: 2,
    level: 1,
  });
  // Traded 30 days before the session: the window begins after that day.
  expect(page.items[0]).toMatchObject({ name: 'Bert Lund', active: false, volume: 0, team_size: 0, directs: 0 });
});

test('whom a run under way reached already is not active before the first run is done', async () => {
  const fresh = await openTestDatabase();
  try {
    const own = testContext(fresh);
    const [top] = (await plantUnder(fresh.db, await ensureCompany(own), 1)) as [bigint];
    const [direct] = (await plantUnder(fresh.db, top, 1)) as [bigint];
    await shareSession(fresh.db, '2026-03-04', 'paying');
    await giveQualifications(fresh.db, { memberId: direct, lastTradedOn: '2026-03-04' });
    const { items } = await listReferrals(own, top, { limit: 25, sort: 'joined' });
    expect(items).toMatchObject([{ active: false }]);
  } finally {
    await fresh.close();
  }
});

test('a branch opens into the directs of a member, with their distance from the caller; it ends at the tenth level', async () => {
  const top = await newTop();
  const chain = await plantChain(db, top, 12);
  for (let level = 1; level < 10; level += 1) {
    const of = String(chain[level - 1]);
    expect((await ask(top, { of })).items).toMatchObject([{ id: String(chain[level]), level: level + 1 }]);
  }
  expect(await ask(top, { of: String(chain[9]) })).toEqual({ items: [], next_cursor: null, total: 0 });
  const [tenth] = (await ask(top, { of: String(chain[8]) })).items;
  expect(tenth).toMatchObject({ level: 10, directs: 0, team_size: 2 });
});

test('a member who is not in the team is not found: above, beside, below the tenth level, oneself, nobody', async () => {
  const top = await newTop();
  const chain = await plantChain(db, top, 12);
  const [caller, beside] = [chain[0] as bigint, await newTop()];
  for (const of of [company, top, beside, chain[11] as bigint, caller, 999_999n])
    await expect(ask(caller, { of: String(of) })).rejects.toMatchObject({ code: 'not_found' });
});

test('live: who signs up is in the list and in the counts at once, summed up or not', async () => {
  const top = await newTop();
  const [direct] = (await plantUnder(db, top, 1)) as [bigint];
  await sumTeamCounts(context);
  await plantUnder(db, direct, 2);
  const [late] = (await plantUnder(db, top, 1)) as [bigint];
  const page = await ask(top);
  expect(page).toMatchObject({
    total: 2,
    items: [
      { id: String(late), team_size: 0 },
      { team_size: 2, directs: 2 },
    ],
  });
});

// ---- order and search ----

/** Names, volumes and teams in which several members are alike, some beyond the letters and digits that differ. */
async function plantTies(top: bigint): Promise<bigint[]> {
  const long = 'Maximiliane Alexandra Bernadette';
  const names = ['Bert', 'anna', 'Öst', 'Anna', `${long} Z`, `${long} A`, 'bert', 'Anna B'];
  const ids = await plantUnder(db, top, 16, ...names);
  const volumes = [0n, 5_000_000n, 100_000_000_000n, 5_000_000n];
  await giveQualifications(
    db,
    ...ids.slice(0, 12).map((memberId, index) => ({ memberId, volume: volumes[index % volumes.length] as bigint })),
  );
  for (const [index, id] of ids.entries()) if (index % 3 > 0) await plantUnder(db, id, index % 3);
  await sumTeamCounts(context);
  await plantUnder(db, ids[0] as bigint, 2);
  return ids;
}

test.each(teamSorts)('in the order by %s every member is on exactly one page, whatever its size', async (sort) => {
  const top = await newTop();
  const ids = await plantTies(top);
  const whole = await readAll(top, { sort, limit: 100 });
  expect(whole.map((item) => BigInt(item.id)).toSorted((a, b) => Number(a - b))).toEqual(ids);
  for (const limit of [1, 2, 3, 5, 7, 16]) expect(await readAll(top, { sort, limit })).toEqual(whole);
});

test('names come from A on, volumes and teams from the largest on; alike ones keep an order of their own', async () => {
  const top = await newTop();
  const ids = await plantTies(top);
  const place = (item: { id: string }) => ids.indexOf(BigInt(item.id));
  const names = (await readAll(top, { sort: 'name' })).map((item) => item.name.toLowerCase().slice(0, 30));
  expect(names).toEqual(names.toSorted());
  const volumes = (await readAll(top, { sort: 'volume' })).map((item) => item.volume);
  expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
  expect(volumes.filter((volume) => volume === 100_000)).toHaveLength(3);
  const sizes = await readAll(top, { sort: 'team' });
  expect(sizes.map((item) => item.team_size)).toEqual(sizes.map((item) => item.team_size).toSorted((a, b) => b - a));
  expect(sizes.slice(0, 2).map(place)).toEqual([14, 11]);
  expect(sizes.filter((item) => item.team_size === 2).map(place)).toEqual([14, 11, 8, 5, 2, 0]);
  expect((await readAll(top, { sort: 'joined' })).map(place)).toEqual(ids.map((_, index) => index).toReversed());
});

test.each(teamSorts)(
  'what was searched for comes in the order by %s, too, without the length of the whole list',
  async (sort) => {
    const top = await newTop();
    await plantTies(top);
    const page = await ask(top, { sort, search: 'anna', limit: 4 });
    expect(page.total).toBeUndefined();
    const found = await readAll(top, { sort, search: 'anna', limit: 4 });
    expect(found.map((item) => item.name).toSorted()).toEqual(['Anna', 'Anna', 'Anna B', 'Anna B', 'anna', 'anna']);
    expect(found.slice(0, 4)).toEqual(page.items);
  },
);

const cursorOf = async (sort: TeamSort) => {
  const top = await newTop();
  await plantUnder(db, top, 2);
  return (await ask(top, { sort, limit: 1 })).next_cursor as string;
};

test.each(teamSorts)('in the order by %s a cursor of another order, or of nothing, is refused', async (sort) => {
  const others = await Promise.all(teamSorts.filter((other) => other !== sort).map(cursorOf));
  for (const cursor of [...others, 'x', '0', '-1', '9'.repeat(19)])
    await expect(ask(1n, { sort, cursor })).rejects.toMatchObject({ code: 'validation', field: 'cursor' });
});

test('a list of more than 20 000 is ordered by joining only, unless a search makes it short', async () => {
  const top = await newTop();
  const [direct] = (await plantUnder(db, top, 1)) as [bigint];
  const [first] = (await plantUnder(db, direct, 1, 'Anna Berg')) as [bigint];
  // Counted as if there were so many more: writing them takes longer than everything else here.
  await sql`insert into team.level_count (member_id, level, members) values (${direct}, 1, 19999), (${top}, 2, 19999)`.execute(
    db,
  );
  const asked = (query: Asked) => ask(top, { of: String(direct), ...query });
  const orders = ['name', 'volume', 'team'] as const;
  for (const sort of orders) expect(await asked({ sort })).toMatchObject({ items: [{}], total: 20_000 });
  const [zoe] = (await plantUnder(db, direct, 1, `Zoe${direct} Last`)) as [bigint];
  for (const sort of orders) {
    await expect(asked({ sort })).rejects.toMatchObject({ code: 'team_list_too_long' });
    expect(idsOf(await asked({ sort, search: `zoe${direct}` }))).toEqual([zoe]);
    const level = getTeam(context, top, { level: 2, sort, limit: 25 });
    await expect(level).rejects.toMatchObject({ code: 'team_list_too_long' });
  }
  expect(idsOf(await asked({}))).toEqual([zoe, first]);
  expect(idsOf(await asked({ search: 'berg' }))).toEqual([first]);
});

// ---- over HTTP ----

test('over HTTP: own directs, a branch, 401 without a token, 404 for a foreign branch, 422 for a bad cursor', async () => {
  const app = await testApp(context, mountIncome);
  try {
    const { memberId, referralCode, token } = await signUp(context, { name: 'Tora Berg' });
    const [direct] = (await plantUnder(db, memberId, 1, 'Anna')) as [bigint];
    const get = (query: string, given: { token?: string } = { token }) =>
      app.ask('GET', `auth/refer-list${query}`, given);
    const own = await get('');
    expect(own).toMatchObject(success({ items: [{ name: 'Anna' }], total: 1 }));
    expect(own.text).not.toMatch(/@mail\.test|919876544127|6544127/);
    expect(await get(`?of=${direct}`)).toMatchObject({ status: 200, body: { data: { items: [], total: 0 } } });
    expect(await get('', {})).toMatchObject({ status: 401 });
    expect(await get(`?of=${company}`)).toMatchObject({ status: 404 });
    expect(await get('?cursor=foo')).toMatchObject({ status: 422 });
    expect(await get('?sort=colour')).toMatchObject({ status: 422 });
    for (const query of ['level=11', 'search=ann', 'cursor=3'])
      expect(await app.ask('GET', `auth/team-info?${query}`, { token })).toMatchObject(
        refusal(422, 'validation', 'level', 'A level from 1 to 10.'),
      );
    const level = await app.ask('GET', 'auth/team-info?level=1&search=ann', { token });
    expect(level).toMatchObject({ status: 200, body: { data: { items: [{ name: 'Anna', level: 1 }] } } });
    expect(referralCode).toMatch(/^TW/);
  } finally {
    await app.close();
  }
});
