import { afterAll, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { type TeamOverview, teamOverview } from '#contract/team.ts';
import { ensureCompany } from '#server/accounts/index.ts';
import { prepare } from '#server/boot.ts';
import { sumTeamCounts } from '#server/team/index.ts';
import { plantChain, plantUnder } from '#server/team/tree-world.test-setup.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { type MadeRecording, recordMarket, still } from '#test/recorded/recorded-market.ts';
import { testContext } from '#test/worlds/builders.ts';
import { giveGrowth, giveLines, giveQualifications, shareSession } from './figures-world.test-setup.ts';
import { getTeam } from './get-team.ts';

/** A Wednesday, in the week that begins on 2026-03-04's Monday, the 2nd. */
const START = '2026-03-04T12:20:00Z';
const RECORDING: MadeRecording = { from: '2026-03-04T00:00:00Z', minutes: 1440, candle: () => still('100') };

const recording = recordMarket(RECORDING);
afterAll(() => recording.remove());
const database = closeAfterAll(await openTestDatabase());
const { db } = database;
const env = { MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: START };
const context = testContext(database, undefined, env);
await prepare(context);
const company = await ensureCompany(context);

const newTop = async () => (await plantUnder(db, company, 1, 'Top'))[0] as bigint;
const look = async (memberId: bigint): Promise<TeamOverview> =>
  teamOverview.parse(await getTeam(context, memberId, { limit: 25, sort: 'joined' }));
const nothing = { active: 0, volume: 0, trade_fees: 0, bonus: 0, pays: false };

test('before the first bonus run members are counted and nothing else is known', async () => {
  const top = await newTop();
  const chain = await plantChain(db, top, 12);
  await plantUnder(db, chain[0] as bigint, 2);
  const shares = [20, 10, 6, 4, 3, 2, 2, 1, 1, 1];
  expect(await look(top)).toEqual({
    as_of: null,
    total_members: 12,
    active_members: 0,
    active_directs: 0,
    active: false,
    volume: 0,
    trade_fees: 0,
    bonus: 0,
    levels: shares.map((share, index) => ({ level: index + 1, members: index === 1 ? 3 : 1, share, ...nothing })),
    legs: [],
    legs_total: 1,
    leg_cap: firstFeePlan.leg_cap_bps / 100,
    growth: [{ week: '2026-03-02', members: 12, active: 0 }],
  });
});

test('figures are of the 30 days that end with the last session that was shared', async () => {
  const top = await newTop();
  await shareSession(db, '2026-02-02');
  await shareSession(db, '2026-02-03');
  await shareSession(db, '2026-03-04');
  await shareSession(db, '2026-03-05', 'paying');
  const line = { memberId: top, volume: 10_000_000n, tradeFees: 40_000n };
  await giveLines(
    db,
    { ...line, day: '2026-02-02', level: 1, bonus: 7_000n },
    { ...line, day: '2026-02-03', level: 1, bonus: 8_000n, teamProfit: 500n },
    { ...line, day: '2026-03-04', level: 1, bonus: 8_000n },
    { ...line, day: '2026-03-04', level: 3, bonus: 2_400n },
    { ...line, day: '2026-03-05', level: 1, bonus: 8_000n },
  );
  await giveQualifications(db, { memberId: top, lastTradedOn: '2026-02-03', activeByLevel: [2, 0, 5] });
  const overview = await look(top);
  expect(overview).toMatchObject({
    as_of: '2026-03-04',
    active: true,
    active_members: 7,
    active_directs: 2,
    volume: 30,
    trade_fees: 0.12,
    bonus: 0.0189,
  });
  expect(overview.levels.slice(0, 3)).toMatchObject([
    { active: 2, volume: 20, trade_fees: 0.08, bonus: 0.0165 },
    { active: 0, volume: 0, trade_fees: 0, bonus: 0 },
    { active: 5, volume: 10, trade_fees: 0.04, bonus: 0.0024 },
  ]);
});

test('a team that traded more than nine billion dollars is shown like any other', async () => {
  const top = await newTop();
  const line = { day: '2026-03-04', memberId: top, tradeFees: 0n };
  await giveLines(
    db,
    { ...line, level: 1, volume: 9_000_000_001_500_000n },
    { ...line, level: 2, volume: 3_000_000_000_000_000n },
  );
  expect((await look(top)).volume).toBe(12_000_000_001.5);
});

test.each([
  ['2026-02-03', 0, 1],
  ['2026-02-03', 1, 1],
  ['2026-02-03', 2, 2],
  ['2026-02-03', 9, 9],
  ['2026-02-03', 12, 10],
  ['2026-02-02', 12, 0],
])(
  'whose last trade was on %s, with %d active directs, is paid by %d levels',
  async (lastTradedOn, directs, paying) => {
    const top = await newTop();
    await giveQualifications(db, { memberId: top, lastTradedOn, activeByLevel: [directs] });
    const { levels } = await look(top);
    expect(levels.map(({ pays }) => pays)).toEqual(Array.from({ length: 10 }, (_, index) => index < paying));
  },
);

test('the ten largest legs are shown of all there are, alike ones in the order of joining', async () => {
  const top = await newTop();
  const heads = await plantUnder(db, top, 14);
  await giveQualifications(
    db,
    ...heads.slice(0, 13).map((memberId, index) => ({
      memberId,
      sponsorId: top,
      legVolume: BigInt(index < 2 ? 900 : index === 12 ? 0 : index) * 1_000_000n,
    })),
  );
  const { legs, legs_total } = await look(top);
  expect(legs_total).toBe(14);
  const expected = [0, 1, 11, 10, 9, 8, 7, 6, 5, 4].map((index) => String(heads[index]));
  expect(legs.map(({ id }) => id)).toEqual(expected);
  expect(legs.slice(1, 3)).toMatchObject([
    { name: 'Member 2', volume: 900 },
    { name: 'Member 12', volume: 11 },
  ]);
});

test('growth has the ends of the last 52 weeks and how it is now, live', async () => {
  const top = await newTop();
  const week = (ago: number) => new Date(Date.parse('2026-03-02') - ago * 7 * 86_400_000).toISOString().slice(0, 10);
  const weeks = Array.from({ length: 60 }, (_, index) => [week(60 - index), index, 1] as const);
  await giveGrowth(db, top, weeks);
  await plantUnder(db, top, 3);
  await sumTeamCounts(context);
  await plantUnder(db, top, 2);
  const { growth } = await look(top);
  expect(growth).toHaveLength(53);
  expect(growth[0]).toEqual({ week: week(52), members: 8, active: 1 });
  expect(growth.slice(-2)).toEqual([
    { week: '2026-02-23', members: 59, active: 1 },
    { week: '2026-03-02', members: 5, active: 0 },
  ]);
});

test('a level lists its members with their distance, page by page', async () => {
  const top = await newTop();
  const heads = await plantUnder(db, top, 3);
  const below = (await Promise.all(heads.map((id) => plantUnder(db, id, 2)))).flat();
  const page = (cursor?: string) => getTeam(context, top, { level: 2, sort: 'joined', limit: 4, cursor });
  const first = await page();
  if (!('items' in first)) throw new Error('not a list');
  expect(first).toMatchObject({ total: 6, items: Array(4).fill({ level: 2 }) });
  const second = await page(first.next_cursor ?? '');
  if (!('items' in second)) throw new Error('not a list');
  const ids = [...first.items, ...second.items].map(({ id }) => BigInt(id));
  expect(ids).toEqual(below.toSorted((a, b) => Number(b - a)));
  expect(second.next_cursor).toBeNull();
});
