import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { listRows } from '#server/db/rows.ts';
import { mountMarket } from '#server/market/index.ts';
import { followMarket, getTrade, listTrades, placeTrade } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { playUntil } from '#test/recorded/recorded-market.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { mountTradingConsole } from '../index.ts';
import { setSpread as changeSpreadOf } from './decide-asset.ts';

const world = closeAfterAll(await bootRecorded({ from: '2026-03-04T00:00:00Z', minutes: 5 * 1440, speed: 3600 }));
const app = closeAfterAll(await testApp(world.context, mountTradingConsole, mountMarket));
const [support, finance] = [await makeOperator(world.context, 'support'), await makeOperator(world.context, 'finance')];
const [admin, other] = [await makeOperator(world.context, 'admin'), await makeOperator(world.context, 'admin')];
const { memberId } = await signUp(world.context);
await giveFunds(world.context, memberId, 1_000_000_000n);

const play = (until: string) => playUntil(world.context, `2026-03-${until}:00Z`, () => followMarket(world.context));
const place = async (tradeId = 'btc') =>
  BigInt((await placeTrade(world.context, memberId, { tradeId, amount: 100, wallet_type: 'primary' })).id);
const trade = async (id: bigint) =>
  (await listTrades(world.context.db, { memberId, limit: 100 })).items.find((item) => item.id === id.toString());

const list = async (who = support) => (await app.ask('GET', 'operator/assets', { token: who.token })).body.data;
const find = async (symbol = 'btc') => (await list()).items.find((item: { symbol: string }) => item.symbol === symbol);
const spreads = async (symbol = 'btc') =>
  (await app.ask('GET', 'market/spreads')).body.data.items.find((item: { symbol: string }) => item.symbol === symbol);
const history = async (query = '') =>
  (await app.ask('GET', `operator/assets/btc/spreads${query}`, { token: support.token })).body.data;

const setSpread = async (spread_bps: unknown, more: object = {}, who = admin, symbol = 'btc') => {
  const { version } = (await find(symbol)) ?? { version: 1 };
  const body = { version, spread_bps, why: 'The exchange got dearer.', otp: await who.code(), ...more };
  return app.ask('POST', `operator/assets/${symbol}/spread`, { token: who.token, body });
};
const setActive = async (active: boolean, more: object = {}, who = admin, symbol = 'eth') => {
  const { version } = (await find(symbol)) ?? { version: 1 };
  const body = { active, version, why: 'The coin forks tonight.', ...(active && { otp: await who.code() }), ...more };
  return app.ask('PUT', `operator/assets/${symbol}/active`, { token: who.token, body });
};
const audited = async (subject: string) => {
  return listRows(world.context.db)<{ action: string; actor_id: bigint; before: unknown; after: unknown }>`
    select action, actor_id, before, after from audit.entry where subject = ${subject} order by id`;
};

describe('the list', () => {
  test('has all of them with spread, price and its age; one without prices begins switched off', async () => {
    const { feed, items } = await list();
    expect(feed).toMatchObject({ kind: 'replay', at: '2026-03-04T12:20:00.000Z' });
    expect(items).toHaveLength(symbols.length);
    expect(items[0]).toMatchObject({
      symbol: 'btc',
      version: 1,
      active: true,
      spread_bps: 10,
      next_spread: null,
      price: 100,
      stale: false,
      positions: { count: 0, quantity: '0', value: 0 },
      queued: { count: 0, amount: 0 },
    });
    expect(await find('doge')).toMatchObject({
      active: false,
      price: null,
      price_at: null,
      positions: { value: null },
    });
  });
});

describe('a change of spread', () => {
  let first: bigint;
  let second: bigint;

  test.each([-1, 1001, 0.5, '10', null])('to %j is refused', async (bps) => {
    expect(await setSpread(bps)).toMatchObject({
      status: 422,
      body: { code: 'validation', validation_results: [{ field: 'spread_bps' }] },
    });
  });

  test('takes an admin, a reason, a fresh code and what is there now', async () => {
    for (const who of [support, finance])
      expect(await setSpread(20, {}, who)).toMatchObject(refusal(403, 'not_allowed'));
    expect(await setSpread(20, { why: ' ' })).toMatchObject({ body: { validation_results: [{ field: 'why' }] } });
    expect(await setSpread(20, { otp: '000000' })).toMatchObject(refusal(422, 'wrong_second_factor'));
    expect(await setSpread(20, { version: 7 })).toMatchObject(refusal(409, 'asset_changed'));
    expect(await setSpread(10)).toMatchObject(refusal(409, 'spread_unchanged'));
    expect(await setSpread(20, {}, admin, 'xyz')).toMatchObject(refusal(404, 'asset_not_found'));
    expect(await find()).toMatchObject({ version: 1, spread_bps: 10, next_spread: null });
  });

  test('waits for the next session, can be followed by another until then, and is in the audit log', async () => {
    const done = await setSpread(50);
    expect(done).toMatchObject(
      success({
        version: 2,
        spread_bps: 10,
        next_spread: {
          spread_bps: 50,
          before_bps: 10,
          reason: 'The exchange got dearer.',
          by: { id: admin.operatorId.toString(), name: 'Op admin' },
          at: world.clock.now().toISOString(),
          first_session_on: null,
        },
      }),
    );
    expect(await spreads()).toEqual({ symbol: 'btc', spread_bps: 10, next_bps: 50 });
    expect(await setSpread(50)).toMatchObject(refusal(409, 'spread_unchanged'));
    expect(await setSpread(30)).toMatchObject({ status: 200 });
    expect(await spreads()).toMatchObject({ spread_bps: 10, next_bps: 30 });
    expect(await audited('asset:btc')).toEqual([
      {
        action: 'asset.spread',
        actor_id: admin.operatorId,
        before: { nextBps: 10, inForceBps: 10 },
        after: { why: 'The exchange got dearer.', nextBps: 50, inForceBps: 10 },
      },
      {
        action: 'asset.spread',
        actor_id: admin.operatorId,
        before: { nextBps: 50, inForceBps: 10 },
        after: { why: 'The exchange got dearer.', nextBps: 30, inForceBps: 10 },
      },
    ]);
  });

  test('is in force from the opening on, for what was placed before it, too', async () => {
    first = await place();
    await play('04T12:31');
    // 100 × (1 + 0.30 % ÷ 2)
    expect(await trade(first)).toMatchObject({ state: 'open', open_price: 100.15 });
    expect(await spreads()).toEqual({ symbol: 'btc', spread_bps: 30, next_bps: null });
    expect(await history()).toMatchObject({
      items: [
        { spread_bps: 30, before_bps: 10, first_session_on: '2026-03-04' },
        { spread_bps: 50, before_bps: 10, first_session_on: null },
      ],
      next_cursor: null,
    });
    const { items, next_cursor } = await history('?limit=1');
    expect([items[0].spread_bps, (await history(`?cursor=${next_cursor}`)).items[0].spread_bps]).toEqual([30, 50]);
  });

  test('moves nothing of a session that is open: not what is bought, not what is worth, not what is sold', async () => {
    const { live } = (await trade(first)) as { live: { result: number } };
    expect(await setSpread(100)).toMatchObject({ status: 200 });
    second = await place();
    await play('04T15:00');
    expect(await trade(second)).toMatchObject({ state: 'open', open_price: 100.15 });
    expect(await trade(first)).toMatchObject({ live });
    expect(await spreads()).toEqual({ symbol: 'btc', spread_bps: 30, next_bps: 100 });
    await play('04T17:31');
    expect([await trade(first), await trade(second)]).toMatchObject([{ close_price: 99.85 }, { close_price: 99.85 }]);
  });

  test('leaves what was traded at another one as it was, also when its marks are no longer kept', async () => {
    const late = await place();
    await play('05T12:31');
    expect(await trade(late)).toMatchObject({ state: 'open', open_price: 100.5 });
    await sql`delete from market.tick`.execute(world.context.db);
    const { opening, closing } = await getTrade(world.context, memberId, first);
    expect(opening).toMatchObject({ mark: '100', spread_bps: 30, mark_source: 'derived' });
    expect(closing).toMatchObject({ mark: '100', spread_bps: 30, mark_source: 'stored' });
  });

  test('back to what is in force takes away what was to come', async () => {
    expect(await setSpread(20)).toMatchObject({ body: { data: { next_spread: { spread_bps: 20 } } } });
    expect(await setSpread(100)).toMatchObject({ status: 200, body: { data: { spread_bps: 100, next_spread: null } } });
    expect(await spreads()).toEqual({ symbol: 'btc', spread_bps: 100, next_bps: null });
    expect(await setSpread(100)).toMatchObject(refusal(409, 'spread_unchanged'));
    await play('06T12:31');
    expect(await spreads()).toEqual({ symbol: 'btc', spread_bps: 100, next_bps: null });
  });

  test('of two at once one is taken', async () => {
    const version = (await find('btc'))?.version;
    const done = await Promise.all([setSpread(40, { version }, admin), setSpread(60, { version }, other)]);
    expect(done.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(done.map(({ body }) => body.code).filter(Boolean)).toEqual(['asset_changed']);
  });

  test('is none of who lost the role since the call was let in', async () => {
    const { version } = await find();
    const actor = actorOf(finance);
    const decision = { symbol: 'btc', version, spread_bps: 70, why: 'dearer', otp: await finance.code() };
    await expect(changeSpreadOf(world.context, actor, decision)).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await find()).toMatchObject({ version });
  });

  test('is never changed or taken away once it is written', async () => {
    const refused = (statement: ReturnType<typeof sql>) => expect(statement.execute(world.context.db)).rejects;
    await refused(sql`update market.spread_change set spread_bps = 1 where first_session_on is null`).toThrow(
      'never changed',
    );
    await refused(
      sql`update market.spread_change set first_session_on = '2026-04-01' where first_session_on is not null`,
    ).toThrow('never changed');
    await refused(sql`delete from market.spread_change`).toThrow('never changed');
  });

  test('positions and what is queued are told, with what they are worth', async () => {
    const [open, queued] = [await place('eth'), await place('eth')];
    await play('06T12:40');
    const { positions } = await find('eth');
    // Each 99.6 dollars at 100.05.
    expect(positions).toEqual({ count: 2, quantity: '1.991004497752', value: 199.100449 });
    expect([await trade(open), await trade(queued)]).toMatchObject([{ state: 'open' }, { state: 'open' }]);
    await play('06T17:31');
    await place('eth');
    expect(await find('eth')).toMatchObject({
      positions: { count: 0, quantity: '0', value: 0 },
      queued: { count: 1, amount: 100 },
    });
  });
});

describe('an asset', () => {
  test('is switched off by an admin with a reason, at once and without a code; what is queued comes back', async () => {
    expect(await setActive(false, {}, finance)).toMatchObject(refusal(403, 'not_allowed'));
    expect(await setActive(false, { why: '' })).toMatchObject({ body: { validation_results: [{ field: 'why' }] } });
    expect(await setActive(false, { version: 9 })).toMatchObject(refusal(409, 'asset_changed'));
    expect(await setActive(false, {}, admin, 'xyz')).toMatchObject(refusal(404, 'asset_not_found'));
    expect(await setActive(false)).toMatchObject({ status: 200, body: { data: { active: false, version: 2 } } });
    // What can be traded is looked up once a second.
    world.clock.advance(1);
    await expect(place('eth')).rejects.toMatchObject({ code: 'trade_not_selected' });
    await play('07T12:31');
    const { items } = await listTrades(world.context.db, { memberId, limit: 1, state: 'cancelled' });
    expect(items).toMatchObject([{ symbol: 'eth', cancel_reason: 'asset_off' }]);
  });

  test('is switched on again with a fresh code', async () => {
    expect(await setActive(true, { otp: undefined })).toMatchObject({
      body: { validation_results: [{ field: 'otp' }] },
    });
    expect(await setActive(true, { otp: '000000' })).toMatchObject(refusal(422, 'wrong_second_factor'));
    expect(await setActive(true)).toMatchObject({ status: 200, body: { data: { active: true, version: 3 } } });
    world.clock.advance(1);
    expect(await trade(await place('eth'))).toMatchObject({ state: 'queued' });
  });

  test('that is so already stays as it is, and nothing is said twice', async () => {
    expect(await setActive(true)).toMatchObject({ status: 200, body: { data: { version: 3 } } });
    const why = 'The coin forks tonight.';
    expect(await audited('asset:eth')).toEqual([
      { action: 'asset.off', actor_id: admin.operatorId, before: { active: true }, after: { active: false, why } },
      { action: 'asset.on', actor_id: admin.operatorId, before: { active: false }, after: { active: true, why } },
    ]);
  });
});
