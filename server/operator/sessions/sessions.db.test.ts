import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { runMarket } from '#server/income/index.ts';
import { getBalances } from '#server/ledger/index.ts';
import { mountTrading, mountTradingConsole } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { playUntil, still } from '#test/recorded/recorded-market.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { mountConsole } from '../index.ts';

/**
 * A played session: btc is at 100 until 14:00, then at 110, eth at 50. Trading is halted from 13:05 to 13:40. Later
 * tests build on the state of earlier ones.
 */
const DAY = '2026-03-04';
type Caller = { readonly token: string };

const world = closeAfterAll(
  await bootRecorded({
    minutes: 26 * 60,
    candle: (symbol, at) => still(symbol === 'eth' ? '50' : at < new Date(`${DAY}T14:00:00Z`) ? '100' : '110'),
  }),
);
const { context } = world;
const app = closeAfterAll(await testApp(context, mountTrading, mountTradingConsole, mountConsole));
const [support, finance] = [await makeOperator(context, 'support'), await makeOperator(context, 'finance')];
const admin = await makeOperator(context, 'admin');
const ann = await signUp(context, { name: 'Ann' });
await giveFunds(context, ann.memberId, 1_000_000_000n);

const play = (time: string) => playUntil(world.context, `${DAY}T${time}Z`, () => runMarket(world.context));
const get = async (url: string, who: Caller = support) => (await app.ask('GET', url, { token: who.token })).body.data;
const send = (who: Caller, url: string, body: unknown = {}) => app.ask('POST', url, { token: who.token, body });
const place = (amount: number, tradeId = 'btc') =>
  send(ann, 'trading/do-trade', { tradeId, amount, wallet_type: 'primary' });
const trades = async () =>
  (await get('trading/fetch-user-trade', ann)).items.map(
    ({ amount, state, cancel_reason: reason }: { amount: number; state: string; cancel_reason: string | null }) =>
      [amount, state, ...(reason === null ? [] : [reason])].join(' '),
  );
/** Lets the one-second cache expire. */
const aSecond = () => world.clock.advance(1);
const halting = { reason: 'Prices of an exchange are wrong.' };
const lift = async (body: object = {}, who = finance) =>
  send(who, 'operator/halt/lift', { version: 1, note: 'They are right again.', otp: await who.code(), ...body });

describe('a halt of trading', () => {
  const plan = { strategy: 'session_hold', wallet_type: 'primary', compounding: false } as const;

  test('is started by finance and admins, with a reason and without a code, and keeps who was first', async () => {
    await place(100);
    await send(ann, 'trading/plans', { tradeId: 'eth', amount: 50, ...plan });
    await play('13:05:00');
    expect(await trades()).toEqual(['50 open', '100 open']);
    await place(30);
    expect(await get('operator/halt')).toEqual({ halt: null });
    expect(await send(support, 'operator/halt', halting)).toMatchObject(refusal(403, 'not_allowed'));
    expect(await send(finance, 'operator/halt', { reason: ' ' })).toMatchObject(refusal(422, 'validation'));
    const begun = await send(finance, 'operator/halt', halting);
    expect(begun.body.data).toEqual({
      version: 1,
      ...halting,
      by: { id: finance.operatorId.toString(), name: 'Op finance' },
      at: world.clock.now().toISOString(),
      market_time: `${DAY}T13:05:00.000Z`,
      lifted: null,
    });
    expect((await send(admin, 'operator/halt', { reason: 'Me too.' })).body.data).toEqual(begun.body.data);
    expect(await get('operator/halt')).toEqual({ halt: begun.body.data });
    // The conditions for placing a trade are cached for a second.
    expect(await place(7)).toMatchObject({ status: 200 });
  });

  test('is shown to everybody, and refuses trades, new plans and due plans', async () => {
    aSecond();
    const session = (await app.ask('GET', 'trading/session')).body.data;
    expect(session).toMatchObject({ state: 'open', halt: { ...halting, at: expect.any(String) } });
    expect(await place(20)).toMatchObject(refusal(409, 'trading_halted'));
    expect(await send(ann, 'trading/plans', { tradeId: 'btc', amount: 20, ...plan })).toMatchObject(
      refusal(409, 'trading_halted'),
    );
    expect((await get('operator/overview')).session.halt).toMatchObject(halting);
  });

  test('returns queued trades in full, including late ones, and leaves open ones', async () => {
    await play('13:06:00');
    expect(await trades()).toEqual(['7 cancelled halted', '30 cancelled halted', '50 open', '100 open']);
    expect(await getBalances(world.context.db, ann.memberId)).toMatchObject({
      primary: 850_000_000n,
      // Two positions, fees deducted.
      trade_escrow: 149_400_000n,
    });
    const { items } = await get('trading/fetch-user-trade', ann);
    const { id } = items.find(({ amount }: { amount: number }) => amount === 50);
    expect(await send(ann, `trading/${id}/close`)).toMatchObject({ status: 200 });
    await play('13:07:00');
    expect((await trades())[2]).toBe('50 settled');
  });

  test('is lifted with a code by an operator who saw it, once', async () => {
    await play('13:40:00');
    expect(await lift({ otp: '000000' })).toMatchObject(refusal(422, 'wrong_second_factor'));
    expect(await lift({ version: 2 })).toMatchObject(refusal(409, 'halt_over'));
    expect(await lift({}, support)).toMatchObject(refusal(403, 'not_allowed'));
    expect((await lift({}, admin)).body.data).toMatchObject({
      version: 1,
      lifted: { by: { name: 'Op admin' }, market_time: `${DAY}T13:40:00.000Z`, note: 'They are right again.' },
    });
    expect(await lift()).toMatchObject(refusal(409, 'halt_over'));
    const actions = await sql`
      select action, actor_id, subject from audit.entry where subject = 'trading' order by id`.execute(
      world.context.db,
    );
    expect(actions.rows).toEqual([
      { action: 'trading.halt', actor_id: finance.operatorId, subject: 'trading' },
      { action: 'trading.lift_halt', actor_id: admin.operatorId, subject: 'trading' },
    ]);
  });

  test('once lifted, trades open again at the next tick', async () => {
    aSecond();
    expect((await app.ask('GET', 'trading/session')).body.data.halt).toBeNull();
    expect(await place(40, 'eth')).toMatchObject({ status: 200 });
    await play('13:50:00');
    expect((await trades())[0]).toBe('40 open');
  });

  test('cannot be changed, deleted, or lifted again in the database', async () => {
    const change = (statement: string) => world.database.runScript(statement);
    await expect(change('update trading.halt set ends_at = ends_at')).rejects.toMatchObject({ code: 'TR002' });
    await expect(change('delete from trading.halt')).rejects.toMatchObject({ code: 'TR002' });
  });
});

describe('GET operator/sessions', () => {
  test('an open session shows what is not sold yet, and nothing it cannot know', async () => {
    await place(10);
    expect(await get('operator/sessions')).toEqual({
      items: [
        {
          day: DAY,
          state: 'open',
          opens_at: `${DAY}T12:30:00.000Z`,
          closes_at: `${DAY}T17:30:00.000Z`,
          opened_at: expect.any(String),
          closed_at: null,
          settled_at: null,
          figures: null,
          manifest_hash: null,
          bonus_run: null,
        },
      ],
      next_cursor: null,
    });
    const detail = await get(`operator/sessions/${DAY}`);
    expect(detail).toMatchObject({
      fee_plan: { id: 1, trade_fee_bps: 40, performance_fee_bps: 1000 },
      queued: { trades: 1, staked: 10 },
      blocks: 0,
      halts: [{ version: 1, lifted: { note: 'They are right again.' } }],
      bonus: null,
      periods: [],
      findings: [],
    });
    expect(detail.assets).toEqual([
      {
        symbol: 'btc',
        opening: { mark: '100', spread_bps: 10, price: '100.05', at: `${DAY}T12:30:00.000Z`, source: 'stored' },
        closing: null,
        trades: 1,
        staked: 100,
        trade_fees: 0.4,
        open: { trades: 1, staked: 100 },
        gross: 0,
        performance_fees: 0,
        result: 0,
      },
      expect.objectContaining({ symbol: 'eth', trades: 2, staked: 90, open: { trades: 1, staked: 40 } }),
    ]);
    expect(await send(finance, `operator/sessions/${DAY}/rerun`)).toMatchObject(refusal(409, 'session_not_settled'));
  });

  test('a settled session has its figures, hashes and bonus run', async () => {
    await play('17:40:00');
    const { items } = await get('operator/sessions');
    expect(items.map(({ day, state }: { day: string; state: string }) => `${day} ${state}`)).toEqual([
      '2026-03-05 scheduled',
      `${DAY} settled`,
    ]);
    expect(items[1]).toMatchObject({
      figures: { trades: 4, members: 1, staked: 200, trade_fees: 0.8 },
      manifest_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      bonus_run: 'done',
    });
    const detail = await get(`operator/sessions/${DAY}`);
    expect(detail).toMatchObject({
      figures: items[1].figures,
      queued: null,
      blocks: 1,
      bonus: {
        state: 'done',
        fee_plan: 1,
        blocks: 1,
        execution: { cost: 0, uncovered: 0 },
        inputs_hash: expect.any(String),
        outputs_hash: expect.any(String),
      },
    });
    const [btc, eth] = detail.assets;
    expect(btc.closing).toEqual({
      mark: '110',
      spread_bps: 10,
      price: '109.945',
      at: `${DAY}T17:30:00.000Z`,
      late: false,
    });
    const { figures } = items[1];
    expect(btc.gross + eth.gross).toBeCloseTo(figures.gross, 6);
    expect(btc.performance_fees + eth.performance_fees).toBeCloseTo(figures.performance_fees, 6);
    const { shares } = detail.bonus;
    const shared = Object.values(shares as Record<string, number>).reduce((sum, dollars) => sum + dollars, 0);
    expect(shared).toBeCloseTo(figures.trade_fees + figures.performance_fees, 6);
  });

  test('is paged by day', async () => {
    const first = await get('operator/sessions?limit=1');
    expect(first).toMatchObject({ items: [{ day: '2026-03-05' }], next_cursor: '2026-03-05' });
    expect(await get(`operator/sessions?limit=1&cursor=${first.next_cursor}`)).toMatchObject({
      items: [{ day: DAY }],
      next_cursor: null,
    });
    const ask = (url: string) => app.ask('GET', url, { token: support.token });
    expect(await ask('operator/sessions?cursor=17')).toMatchObject(refusal(422, 'validation'));
    expect(await ask('operator/sessions/2026-03-03')).toMatchObject(refusal(404, 'not_found'));
    expect(await ask('operator/sessions/2026-02-30')).toMatchObject(refusal(422, 'validation'));
  });

  test('its figures are the sums of its members’ results', async () => {
    const rows = await listRows(world.context.db)`
      select count(*) as members, sum(trades)::bigint as trades, sum(volume)::bigint as staked, sum(trade_fees)::bigint as trade_fees,
        sum(performance_fees)::bigint as performance_fees, sum(result + trade_fees + performance_fees)::bigint as gross
      from trading.daily_result
      union all
      select members, trades, staked, trade_fees, performance_fees, gross from trading.booked_block where members > 0`;
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(rows[1]);
  });
});

describe('a re-run', () => {
  const rerun = (who: Caller = finance, day = DAY) => send(who, `operator/sessions/${day}/rerun`);
  const outcome = async () =>
    (await rerun()).body.data.parts.map(({ part, same }: { part: string; same: boolean }) => `${part} ${same}`);

  test('produces the same hashes, posts nothing and is in the audit log', async () => {
    const count = async () =>
      await listRows(world.context.db)<{ last: bigint }>`select max(id) as last from ledger.transfer`;
    const before = await count();
    const { body } = await rerun();
    const { manifest_hash: stored, bonus } = await get(`operator/sessions/${DAY}`);
    expect(body.data).toMatchObject({
      day: DAY,
      parts: [
        { part: 'results', same: true, stored, replayed: stored },
        { part: 'bonus_inputs', same: true, stored: bonus.inputs_hash },
        { part: 'bonus_outputs', same: true, stored: bonus.outputs_hash },
      ],
    });
    expect(await count()).toEqual(before);
    const { rows } = await sql`
      select subject, actor_id from audit.entry where action = 'session.rerun'`.execute(world.context.db);
    expect(rows).toEqual([{ subject: `session:${DAY}`, actor_id: finance.operatorId }]);
  });

  test('shows where a price that was changed afterwards makes a difference', async () => {
    const move = (price: string) =>
      sql`update trading.trade set close_price = ${price}::numeric where symbol = 'btc' and state = 'settled' and amount = 100000000`.execute(
        world.context.db,
      );
    await move('109.9');
    expect(await outcome()).toEqual(['results false', 'bonus_inputs true', 'bonus_outputs true']);
    await move('109.945');
    await sql`update trading.daily_result set trade_fees = trade_fees + 1`.execute(world.context.db);
    expect(await outcome()).toEqual(['results true', 'bonus_inputs false', 'bonus_outputs false']);
    await sql`update trading.daily_result set trade_fees = trade_fees - 1`.execute(world.context.db);
    expect(await outcome()).toEqual(['results true', 'bonus_inputs true', 'bonus_outputs true']);
  });

  test('of a session that would take too long is refused', async () => {
    await sql`update trading.booked_block set members = members + 100000`.execute(world.context.db);
    expect(await rerun()).toMatchObject(refusal(409, 'rerun_too_large'));
    await sql`update trading.booked_block set members = members - 100000`.execute(world.context.db);
  });

  test('is for finance and admins, and for existing, settled sessions', async () => {
    expect(await rerun(support)).toMatchObject(refusal(403, 'not_allowed'));
    expect(await rerun(admin, '2026-03-03')).toMatchObject(refusal(404, 'not_found'));
    expect(await rerun(admin, '2026-03-05')).toMatchObject(refusal(409, 'session_not_settled'));
  });
});
