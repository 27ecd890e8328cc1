import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { address, openWorld } from '../accounts-world.test-setup.ts';
import type { LimitChange } from '../core/own-limits.ts';
import { findOwnLimits, listLossLimits, listPausedMembers, lockOwnLimits } from '../index.ts';
import { setOwnLimits } from './set-own-limits.ts';

const noon = new Date('2026-03-04T12:00:00Z');
const day = 24 * 3600;
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;

const world = closeAfterAll(await openWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts));
beforeEach(() => world.clock.set(noon));

const set = (memberId: bigint, change: LimitChange) =>
  setOwnLimits(world.context, { memberId }, { ...change, address });
const find = (memberId: bigint) => findOwnLimits(world.context.db, memberId, world.clock.now());
const none = { depositWeekMicros: null, lossDayMicros: null, pausedUntil: null };

describe('the limits in force', () => {
  test('are none before one is set', async () => {
    const { memberId } = await world.signUp();
    expect(await find(memberId)).toEqual(none);
    expect(await inTransaction(world.context.db, (tx) => lockOwnLimits(tx, memberId, noon))).toEqual(none);
  });

  test('apply at once when stricter and after 24 hours when relaxed', async () => {
    const { memberId } = await world.signUp();
    await set(memberId, { depositWeekMicros: usd(500), lossDayMicros: usd(50) });
    expect(await find(memberId)).toEqual({ ...none, depositWeekMicros: usd(500), lossDayMicros: usd(50) });
    await set(memberId, { depositWeekMicros: usd(900), lossDayMicros: null });
    world.clock.advance(day - 1);
    expect(await find(memberId)).toEqual({ ...none, depositWeekMicros: usd(500), lossDayMicros: usd(50) });
    world.clock.advance(1);
    expect(await find(memberId)).toEqual({ ...none, depositWeekMicros: usd(900) });
    const locked = await inTransaction(world.context.db, (tx) => lockOwnLimits(tx, memberId, world.clock.now()));
    expect(locked).toEqual({ ...none, depositWeekMicros: usd(900) });
  });

  test('a pending limit that has taken effect is what later changes are compared with', async () => {
    const { memberId } = await world.signUp();
    await set(memberId, { depositWeekMicros: usd(500) });
    await set(memberId, { depositWeekMicros: usd(900) });
    world.clock.advance(day);
    // 700 is stricter than the current 900, though higher than the previous 500
    expect((await set(memberId, { depositWeekMicros: usd(700) })).depositWeek).toEqual({
      micros: usd(700),
      next: null,
    });
  });

  test('are separate for each member', async () => {
    const [one, other] = [await world.signUp(), await world.signUp()];
    await set(one.memberId, { depositWeekMicros: usd(10), lossDayMicros: usd(10), pauseDays: 9 });
    expect(await find(other.memberId)).toEqual(none);
  });
});

test('a change of an account that was closed meanwhile is refused', async () => {
  const { memberId } = await world.signUp();
  await sql`
    update identity.member set closed_at = now(), password_hash = null, email = null, mobile_number = null
    where id = ${memberId}`.execute(world.context.db);
  await expect(set(memberId, { pauseDays: 1 })).rejects.toThrow(new Refused('session_required'));
  expect(await find(memberId)).toEqual(none);
});

describe('a pause', () => {
  test('lasts until its end, can be extended, and is never shortened', async () => {
    const { memberId } = await world.signUp();
    await set(memberId, { pauseDays: 7 });
    world.clock.advance(day);
    await expect(set(memberId, { pauseDays: 5 })).rejects.toThrow(new Refused('pause_shortened'));
    expect((await find(memberId)).pausedUntil).toEqual(new Date('2026-03-11T12:00:00Z'));
    await set(memberId, { pauseDays: 7 });
    expect((await find(memberId)).pausedUntil).toEqual(new Date('2026-03-12T12:00:00Z'));
    world.clock.set('2026-03-12T12:00:00Z');
    expect(await find(memberId)).toEqual(none);
    await set(memberId, { pauseDays: 1 });
    expect((await find(memberId)).pausedUntil).toEqual(new Date('2026-03-13T12:00:00Z'));
  });

  test('that is refused discards the rest of the change', async () => {
    const { memberId } = await world.signUp();
    await set(memberId, { pauseDays: 7 });
    await expect(set(memberId, { pauseDays: 1, depositWeekMicros: usd(10) })).rejects.toThrow(
      new Refused('pause_shortened'),
    );
    expect((await find(memberId)).depositWeekMicros).toBeNull();
  });
});

describe('for the engine', () => {
  test('loss limits and pauses in force are listed in id order', async () => {
    const members: bigint[] = [];
    for (let count = 0; count < 5; count += 1) members.push((await world.signUp()).memberId);
    const [limited, raised, ended, paused, free] = members as [bigint, bigint, bigint, bigint, bigint];
    await set(paused, { pauseDays: 1 });
    await set(ended, { lossDayMicros: usd(30) });
    await set(ended, { lossDayMicros: null });
    await set(raised, { lossDayMicros: usd(20) });
    await set(raised, { lossDayMicros: usd(200) });
    await set(limited, { lossDayMicros: usd(10) });
    await set(free, { depositWeekMicros: usd(10) });
    const listLosses = async () =>
      (await listLossLimits(world.context.db, world.clock.now())).filter(({ memberId }) => members.includes(memberId));
    const listPaused = async () =>
      (await listPausedMembers(world.context.db, world.clock.now())).filter((id) => members.includes(id));

    world.clock.advance(day - 1);
    expect(await listLosses()).toEqual([
      { memberId: limited, lossDayMicros: usd(10) },
      { memberId: raised, lossDayMicros: usd(20) },
      { memberId: ended, lossDayMicros: usd(30) },
    ]);
    expect(await listPaused()).toEqual([paused]);
    world.clock.advance(1);
    expect(await listLosses()).toEqual([
      { memberId: limited, lossDayMicros: usd(10) },
      { memberId: raised, lossDayMicros: usd(200) },
    ]);
    expect(await listPaused()).toEqual([]);
  });
});

describe('the record', () => {
  test('a change is in the audit log, before and after, and is notified in the drawer and by email', async () => {
    const { memberId, input } = await world.signUp();
    await set(memberId, { depositWeekMicros: usd(100) });
    await set(memberId, { depositWeekMicros: usd(500) });
    const { rows } = await sql<Record<string, unknown>>`
      select actor_kind, actor_id, before, after, address from audit.entry
      where subject = ${`member:${memberId}`} and action = 'member.set_limits' order by id`.execute(world.context.db);
    const entry = { actor_kind: 'member', actor_id: memberId, address };
    const lossDay = { micros: null, next: null };
    const hundred = { depositWeek: { micros: '100000000', next: null }, lossDay, pausedUntil: null };
    const next = { micros: '500000000', at: '2026-03-05T12:00:00.000Z' };
    expect(rows).toMatchObject([
      { ...entry, before: { depositWeek: { micros: null, next: null }, lossDay, pausedUntil: null }, after: hundred },
      { ...entry, before: hundred, after: { ...hundred, depositWeek: { micros: '100000000', next } } },
    ]);
    const waiting = 'Your weekly deposit limit rises from $100 to $500 on 5 Mar 2026, 12:00 UTC.';
    expect((await world.listMessages(memberId)).slice(-2)).toEqual(['Your weekly deposit limit is now $100.', waiting]);
    expect((await world.emailsTo(input.email)).at(-1)?.text).toContain(waiting);
  });

  test('a change that changes nothing is not recorded', async () => {
    const { memberId } = await world.signUp();
    await set(memberId, { depositWeekMicros: usd(100) });
    const [told, logged] = [await world.listMessages(memberId), await world.listActions(`member:${memberId}`)];
    await set(memberId, { depositWeekMicros: usd(100), lossDayMicros: null });
    await set(memberId, {});
    expect(await world.listMessages(memberId)).toEqual(told);
    expect(await world.listActions(`member:${memberId}`)).toEqual(logged);
  });

  test.each([
    'deposit_week_micros = null, deposit_week_next_at = now()',
    'deposit_week_next_micros = 500000000',
    'deposit_week_next_micros = 100000000, deposit_week_next_at = now()',
    'loss_day_micros = null, loss_day_next_at = now()',
    'loss_day_next_micros = 1, loss_day_next_at = now()',
    'deposit_week_micros = 0',
    'loss_day_micros = -1',
  ])('the database refuses a state that no change produces: %s', async (assignment) => {
    const { memberId } = await world.signUp();
    await set(memberId, { depositWeekMicros: usd(100), lossDayMicros: usd(100) });
    const update = `update identity.own_limit set ${assignment} where member_id = ${memberId}`;
    await expect(world.database.runScript(update)).rejects.toMatchObject({
      constraint: expect.stringMatching(/^own_limit_(deposit_week|loss_day)_(next_loosens|positive)$/),
    });
  });
});

describe('PUT auth/limits', () => {
  const signedIn = async () => {
    const { memberId, referralCode } = await world.signUp();
    return { memberId, token: await world.signIn(referralCode) };
  };
  const put = (token: string, body: unknown) => app.ask('PUT', 'auth/limits', { token, body });
  const noLimit = { amount: null, next: null };

  test('returns all limits, as auth/me shows them', async () => {
    const { token } = await signedIn();
    expect((await app.ask('GET', 'auth/me', { token })).body.data.limits).toEqual({
      deposit_week: noLimit,
      loss_day: noLimit,
      paused_until: null,
    });
    await put(token, { deposit_week: 100 });
    const reply = await put(token, { deposit_week: 500, loss_day: 50, pause_days: 90 });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.body.data).toEqual({
      deposit_week: { amount: 100, next: { amount: 500, at: '2026-03-05T12:00:00.000Z' } },
      loss_day: { amount: 50, next: null },
      paused_until: '2026-06-02T12:00:00.000Z',
    });
    expect((await app.ask('GET', 'auth/me', { token })).body.data.limits).toEqual(reply.body.data);
  });

  test.each([
    ['deposit_week', 0, 'A limit is at least 1$.'],
    ['deposit_week', -100, 'A limit is at least 1$.'],
    ['deposit_week', 99.5, 'A limit is in whole dollars.'],
    ['deposit_week', 1_000_000_001, 'The limit is too high.'],
    ['loss_day', '50', 'Enter a limit in numbers.'],
    ['loss_day', 0, 'A limit is at least 1$.'],
    ['pause_days', 0, 'A pause is 1 to 90 days.'],
    ['pause_days', 91, 'A pause is 1 to 90 days.'],
    ['pause_days', 1.5, 'A pause is 1 to 90 days.'],
    ['pause_days', null, 'A pause is 1 to 90 days.'],
    ['withdrawal_week', 5, 'This field is not known.'],
  ])('names the field %s when it is %j', async (field, value, message) => {
    const { memberId, token } = await signedIn();
    expect(await put(token, { [field]: value })).toMatchObject(refusal(422, 'validation', field, message));
    expect(await find(memberId)).toEqual(none);
  });
});
