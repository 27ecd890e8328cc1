import { describe, expect, test } from 'vitest';
import { type IncomeLine, incomeKinds } from '#contract/income.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openCallsWorld } from './calls-world.test-setup.ts';

const { bob, directs, below, ask, data, readAll } = closeAfterAll(await openCallsWorld());

describe('lines of one income', () => {
  test.each([1, 2, 100])('referral bonus, newest first, each line once, in pages of %i', async (limit) => {
    const lines = await readAll<IncomeLine>('bounus/referral', limit);
    const line = (id: string, session: string): IncomeLine => ({
      id,
      session,
      level: 1,
      symbol: null,
      volume: 300,
      fees: 1.2,
      rate: 20,
      amount: 0.24,
      coverage: 1,
      created_at: `${session}T17:30:00.000Z`,
    });
    expect(lines).toEqual([
      line('2026030401', '2026-03-04'),
      line('2026030201', '2026-03-02'),
      line('2026022701', '2026-02-27'),
    ]);
  });

  test.each([1, 3, 100])(
    'team level bonus by session and level, without levels that paid nothing, in pages of %i',
    async (limit) => {
      const lines = await readAll<IncomeLine>('bounus/level', limit);
      expect(lines.map(({ id, level, volume, fees, rate, amount }) => [id, level, volume, fees, rate, amount])).toEqual(
        [
          ['2026030402', 2, 50, 0.2, 10, 0.02],
          ['2026030403', 3, 100, 0.4, 6, 0.024],
          ['2026022702', 2, 50, 0.2, 10, 0.02],
          ['2026022703', 3, 100, 0.4, 6, 0.024],
        ],
      );
    },
  );

  test('team profit is the same list at both of its addresses', async () => {
    const lines = await data('bounus/team-profit');
    expect(lines.items.map(({ id, fees, rate, amount }: IncomeLine) => [id, fees, rate, amount])).toEqual([
      ['2026030402', 0.478, 10, 0.0478],
      ['2026022702', 0.478, 10, 0.0478],
    ]);
    expect(await data('auth/team-profit')).toEqual(lines);
    expect(await data('auth/team-profit?limit=1')).toEqual(await data('bounus/team-profit?limit=1'));
  });

  test('results of trades, one line a trade, either sign', async () => {
    const lines = await readAll<IncomeLine>('bounus/trade', 1);
    expect(
      lines.map(({ session, level, symbol, volume, fees, rate, amount, coverage }) => [
        session,
        level,
        symbol,
        volume,
        fees,
        rate,
        amount,
        coverage,
      ]),
    ).toEqual(
      ['2026-03-04', '2026-03-02', '2026-02-27'].map((session) => [session, null, 'ltc', 10, 0.04, null, -0.04, null]),
    );
    const [best] = (await data('bounus/trade', bob.token)).items.filter((line: IncomeLine) => line.amount > 0);
    // 99.60 $ sold for 109.56: 9.56 over the amount, of which 0.956 is the performance fee.
    expect([best.session, best.fees, best.amount]).toEqual(['2026-03-03', 1.356, 8.604]);
  });

  test('totals are those of a lifetime, on every page', async () => {
    const totals = { referral: 0.72, level: 0.088, 'team-profit': 0.0956, trade: -0.12, compounding: 0 };
    for (const [kind, total] of Object.entries(totals)) {
      expect([kind, (await data(`bounus/${kind}?limit=1`)).total]).toEqual([kind, total]);
    }
  });

  test('who has nothing below has empty lists', async () => {
    for (const kind of ['referral', 'level', 'team-profit', 'compounding']) {
      expect(await data(`bounus/${kind}`, bob.token)).toEqual({ items: [], next_cursor: null, total: 0 });
    }
  });

  test('a kind that does not exist is refused', async () => {
    const { status, body } = await ask('bounus/gifts');
    expect([status, body.code, body.validation_results[0].field]).toEqual([422, 'validation', 'kind']);
  });
});

describe('a line explained', () => {
  test('down to whose trades, which levels, which transfers', async () => {
    const explained = await data('bounus/level/2026030403');
    expect(explained).toMatchObject({
      kind: 'level',
      line: { id: '2026030403', amount: 0.024, coverage: 1 },
      fee_plan_id: '1',
      session_fees: 2.64,
      execution_cost: 0,
      active_directs: 3,
      needed_directs: 3,
      contributors: {
        items: [{ id: String(below[1]), name: 'Member 1', volume: 100, fees: 0.4 }],
        next_cursor: null,
        total: 1,
      },
      transfers: [{ reason: 'level_bonus', from: 'trade_fees', to: 'profit', amount: 0.044 }],
    });
    expect(explained.contributors.items[0].referral_code).toMatch(/^TW/);
    expect(
      explained.levels.map((level: Record<string, unknown>) => [
        level.level,
        level.traders,
        level.amount,
        level.reason,
      ]),
    ).toEqual([
      [2, 1, 0.02, null],
      [3, 1, 0.024, null],
      [4, 1, 0, 'directs'],
    ]);
  });

  test('a level that paid nothing says why, and has no transfer of its own', async () => {
    expect(await data('bounus/level/2026022704')).toMatchObject({
      line: { amount: 0, coverage: 0, volume: 100, fees: 0.4, rate: 4 },
      active_directs: 3,
      needed_directs: 4,
    });
    expect(await data('bounus/team-profit/2026030201')).toMatchObject({ line: { amount: 0 }, transfers: [] });
  });

  test('team profit speaks of performance fees', async () => {
    expect(await data('bounus/team-profit/2026030402')).toMatchObject({
      session_fees: 0.478,
      execution_cost: 0,
      line: { fees: 0.478, rate: 10, amount: 0.0478 },
      contributors: { items: [{ id: String(below[0]), volume: 50, fees: 0.478 }] },
      transfers: [{ reason: 'team_profit', from: 'performance_fees', amount: 0.0478 }],
    });
  });

  test('contributors come in the order in which they joined, each once, and add up to the line', async () => {
    const ids: string[] = [];
    const sums = { volume: 0, fees: 0 };
    let cursor: string | null = '';
    while (cursor !== null) {
      const { contributors } = await data(
        `bounus/referral/2026030401?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      for (const { id, volume, fees } of contributors.items) {
        ids.push(id);
        sums.volume += volume;
        sums.fees += fees;
      }
      expect(contributors.total).toBe(3);
      cursor = contributors.next_cursor;
    }
    expect(ids).toEqual(directs.map(String));
    expect(sums).toEqual({ volume: 300, fees: expect.closeTo(1.2, 9) });
  });

  test.each([
    ['a session in which nobody below traded', 'level/2026030302'],
    ['a session that is not there', 'level/2026030502'],
    ['a level of another kind', 'referral/2026030402'],
    ['level 1, which is the referral bonus', 'level/2026030401'],
    ['level 4 of team profit, which has three', 'team-profit/2026030404'],
    ['a day that does not exist', 'level/2026023002'],
    ['any number', 'level/17'],
  ])('404: %s', async (_, address) => {
    const { status, body } = await ask(`bounus/${address}`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  test('the line of somebody else is not there', async () => {
    expect((await ask('bounus/referral/2026030401', bob.token)).status).toBe(404);
  });

  test('results are not explained here: a trade has a page of its own', async () => {
    expect((await ask('bounus/trade/1')).body.code).toBe('validation');
  });
});

describe('sums by period', () => {
  test('of each kind, of the team and of the results, by market time', async () => {
    const earnings = await data('auth/user-earner');
    expect(earnings.market_time).toBe('2026-03-04T18:00:00.000Z');
    expect(earnings.kinds.map(({ kind }: { kind: string }) => kind)).toEqual([...incomeKinds]);
    const of = Object.fromEntries(earnings.kinds.map(({ kind, ...sums }: { kind: string }) => [kind, sums]));
    expect(of).toMatchObject({
      referral: { today: 0.24, week: 0.48, month: 0.48, lifetime: 0.72 },
      level: { today: 0.044, week: 0.044, month: 0.044, lifetime: 0.088 },
      team_profit: { today: 0.0478, week: 0.0478, month: 0.0478, lifetime: 0.0956 },
      // The week to 1 March had a pool of 0.264 $, of which one member gets a tenth.
      weekly: { lifetime: 0.0264 },
      monthly: { today: 0, week: 0, month: 0, lifetime: 0 },
      reward: { today: 0, week: 0, month: 0, lifetime: 0 },
      trade: { today: -0.04, week: -0.08, month: -0.08, lifetime: -0.12 },
      compounding: { today: 0, week: 0, month: 0, lifetime: 0 },
    });
    expect(earnings.team.lifetime).toBe(0.93);
    expect(earnings.results).toEqual({ today: -0.04, week: -0.08, month: -0.08, lifetime: -0.12 });
  });
});

test.each([
  'bounus/referral?cursor=x',
  'bounus/referral?cursor=2026023001',
  'bounus/level?cursor=17',
  'auth/team-profit?cursor=2026030411',
  'bounus/trade?cursor=0',
  'bounus/compounding?cursor=-1',
  'bounus/referral/2026030401?cursor=x',
  ...['x', '20260230', '00000101', '20260303', '17'].map((cursor) => `bounus/monthly-weekly?cursor=${cursor}`),
  ...['x', '20260230', '00000101', '20260302', '17'].map((cursor) => `bounus/monthly-salary?cursor=${cursor}`),
  'payout?cursor=17',
  'payout?cursor=2026-02-30_trade',
])('a cursor of another list is refused: %s', async (url) => {
  const { status, body } = await ask(url);
  expect([status, body.code, body.validation_results[0].field]).toEqual([422, 'validation', 'cursor']);
});
