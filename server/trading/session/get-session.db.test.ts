import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { instantOf, openTradingWorld } from '#test/worlds/trading-world.ts';
import { getSession } from './get-session.ts';

const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:20:00Z'));
await sql`
  insert into trading.session (day, opens_at, closes_at, state)
  values ('2026-03-04', '2026-03-04T12:30Z', '2026-03-04T17:30Z', 'scheduled')`.execute(context.db);

const moveClock = (at: string) => sql`update market.clock set at = ${at}::timestamptz`.execute(context.db);

test('an opening that lies ahead waits for nothing', async () => {
  expect(await getSession(context)).toMatchObject({ state: 'closed', waits_for: null });
});

test('an opening that lies behind says why the session is not open, after a moment and after days', async () => {
  for (const at of ['2026-03-04T12:30:00Z', '2026-03-04T18:00:00Z', '2026-03-06T09:00:00Z']) {
    await moveClock(at);
    expect(await getSession(context)).toMatchObject({
      state: 'closed',
      opens_at: '2026-03-04T12:30:00.000Z',
      waits_for: 'the server is catching up with the market',
    });
  }
});

test('a session that still settles when the next one would open is why that one waits', async () => {
  await sql`update trading.session set state = 'settling', opens_at = '2026-03-06T12:30Z', closes_at = '2026-03-06T17:30Z', opened_at = '2026-03-06T12:30Z', fee_plan_id = 1, trade_fee_bps = 40,
      performance_fee_bps = 1000, closed_at = '2026-03-06T17:30Z', booked_member_id = 0`.execute(context.db);
  await moveClock('2026-03-07T12:29:59Z');
  expect(await getSession(context)).toMatchObject({ state: 'settling', waits_for: null });
  await moveClock('2026-03-07T12:30:00Z');
  expect(await getSession(context)).toMatchObject({
    state: 'settling',
    waits_for: 'the last session is still settling',
  });
});

test('an opening that is overdue because no worker moves live market time says so', async () => {
  const world = await openTradingWorld();
  onTestFinished(world.close);
  const readAt = (time: string) => getSession({ ...world.context, now: () => new Date(instantOf(time)) });
  await world.play('12:29:00');
  await sql`update market.clock set feed = 'coingecko'`.execute(world.context.db);
  expect(await readAt('12:30:10')).toMatchObject({ state: 'closed', waits_for: null, feed: { stale: false } });
  expect(await readAt('13:30:00')).toMatchObject({
    state: 'closed',
    waits_for: 'the server is catching up with the market',
    feed: { stale: true },
  });
});

test('an open session without fresh prices says that its trades wait for them', async () => {
  const world = await openTradingWorld({
    candle: (_, at) =>
      at >= new Date(instantOf('14:00:00')) && at < new Date(instantOf('15:00:00')) ? null : still('100'),
  });
  onTestFinished(world.close);
  const follow = async (until: string) => {
    await world.play(until);
    return getSession(world.context);
  };
  expect(await follow('13:59:00')).toMatchObject({ state: 'open', waits_for: null });
  expect(await follow('14:30:00')).toMatchObject({
    state: 'open',
    waits_for: 'no new prices arrive',
    feed: { stale: true },
  });
  expect(await follow('15:01:00')).toMatchObject({ state: 'open', waits_for: null });
});
