import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { dollars, even, periodWorlds, reachDay } from '../periods/period-world.test-setup.ts';
import { findQualification, listedLines, shareDay } from './bonus-world.test-setup.ts';
import { replayBonuses } from './replay-session.ts';

const worlds = closeAfterAll(periodWorlds());

test('a trade counts for thirty days: on the thirtieth day after it, it is outside', async () => {
  const context = await worlds.open('2026-03-01');
  // 2 sponsors 3, who sponsors 4.
  await addTeam(context, [1n, 2n, 3n]);
  await shareDay(context, '2026-03-01', [even(2n, 10), even(3n, 20)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    active_by_level: '{1,0,0,0,0,0,0,0,0,0}',
    volume: dollars(10),
  });

  // 29 days later: (28 February, 30 March] still has 1 March in it.
  await shareDay(context, '2026-03-30', [even(4n, 100)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    active_by_level: '{1,1,0,0,0,0,0,0,0,0}',
    volume: dollars(10),
    leg_volume: dollars(130),
  });
  expect((await listedLines(context, '2026-03-30')).slice(1)).toEqual([
    '2/2 1 400000 0 → 0 0 (1) directs',
    '3/1 1 400000 0 → 80000 0 (1)',
  ]);

  // Thirty days later it is not, though neither 2 nor 3 is in today's session.
  await shareDay(context, '2026-03-31', [even(4n, 100)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    last_traded_on: '2026-03-01',
    active_by_level: '{0,1,0,0,0,0,0,0,0,0}',
    volume: 0n,
    leg_volume: dollars(200),
  });
  expect((await listedLines(context, '2026-03-31')).slice(1)).toEqual([
    '2/2 1 400000 0 → 0 0 (0) inactive',
    '3/1 1 400000 0 → 0 0 (1) inactive',
  ]);
  const replay = await replayBonuses(context, '2026-03-31');
  expect(replay.replayedOutputsHash).toBe(replay.outputsHash);
});

test('who traded in a session that leaves the window and again in a later one stays active', async () => {
  const context = await worlds.open('2026-03-01');
  await addTeam(context, [1n, 2n]);
  for (const day of ['2026-03-01', '2026-03-15']) await shareDay(context, day, [even(3n, 10)]);
  await shareDay(context, '2026-03-31', [even(2n, 10)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    active_by_level: '{1,0,0,0,0,0,0,0,0,0}',
  });
});

test('after months without a session everything is outside the window, and a member who trades again is active again', async () => {
  const context = await worlds.open('2026-01-05');
  await addTeam(context, [1n, 2n, 2n]);
  await shareDay(context, '2026-01-05', [even(2n, 10), even(3n, 10), even(4n, 10)]);
  await shareDay(context, '2026-01-06', [even(3n, 10)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    active_by_level: '{2,0,0,0,0,0,0,0,0,0}',
  });
  await shareDay(context, '2026-04-20', [even(3n, 10)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    active_by_level: '{1,0,0,0,0,0,0,0,0,0}',
    volume: 0n,
  });
  expect(await findQualification(context, 4n)).toMatchObject({
    last_traded_on: '2026-01-05',
    volume: 0n,
    leg_volume: 0n,
  });
  await shareDay(context, '2026-04-21', []);
  await shareDay(context, '2026-05-20', [even(2n, 10)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    last_traded_on: '2026-05-20',
    active_by_level: '{0,0,0,0,0,0,0,0,0,0}',
    leg_volume: dollars(10),
  });
});

test('sums of a week and of a month begin anew with the first session in the next one', async () => {
  const context = await worlds.open('2026-03-28');
  await addTeam(context, [1n, 2n, 3n]);
  await shareDay(context, '2026-03-28', [even(3n, 10), even(4n, 1)]);
  await shareDay(context, '2026-03-29', [even(3n, 20)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    week: '2026-03-23',
    week_team_volume: dollars(31),
    month: '2026-03-01',
    month_team_volume: dollars(31),
    // A tenth and a twentieth of 124 000 micros, in basis points of a micro.
    month_put_monthly: '124000000',
    month_put_rewards: '62000000',
  });
  expect(await findQualification(context, 3n)).toMatchObject({
    month_team_volume: dollars(1),
    month_leg_volume: dollars(31),
  });
  await reachDay(context, '2026-03-30');
  await shareDay(context, '2026-03-30', [even(3n, 5)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    week: '2026-03-30',
    week_team_volume: dollars(5),
    month: '2026-03-01',
    month_team_volume: dollars(36),
  });
  await reachDay(context, '2026-04-01');
  await shareDay(context, '2026-04-01', [even(3n, 7)]);
  expect(await findQualification(context, 2n)).toMatchObject({
    week: '2026-03-30',
    week_team_volume: dollars(12),
    month: '2026-04-01',
    month_team_volume: dollars(7),
    month_put_monthly: '28000000',
  });
});
