import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IncomeLine, incomeKinds } from '#contract/income.ts';
import { apiBase, endpoints } from '#contract/index.ts';
import { type TestApp, testApp } from '#test/app.ts';
import { bootTest } from '#test/boot.ts';
import { signUp } from '#test/members.ts';
import { addTeam, settleSession } from '#test/settled-session.ts';
import { mountIncome } from './index.ts';
import { payDue } from './pay-due.ts';

let world: Awaited<ReturnType<typeof bootTest>>;
let app: TestApp;
let ann: Awaited<ReturnType<typeof signUp>>;
let bob: Awaited<ReturnType<typeof signUp>>;
/** Ann's directs; below the first of them level 2, below that level 3, below that level 4. */
let directs: bigint[];
let below: bigint[];

const $ = (dollars: number): bigint => BigInt(dollars * 1e6);

/**
 * Ann has three active directs, so levels 1 to 3 pay her, and level 4 lacks one. With fees of 0.40 $ on 100 $:
 * referral bonus 20 % of 3 × 0.40; level 2 10 % of 0.20 and, of the performance fee 0.478, 10 % team profit; level 3 6 % of 0.40.
 */
const wholeTeam = () => [
  { memberId: ann.memberId, micros: $(10) },
  ...directs.map((memberId) => ({ memberId, micros: $(100) })),
  { memberId: below[0] as bigint, micros: $(50), course: 'up' as const },
  { memberId: below[1] as bigint, micros: $(100) },
  { memberId: below[2] as bigint, micros: $(100) },
  { memberId: bob.memberId, micros: $(100) },
];

beforeAll(async () => {
  world = await bootTest({ MARKET_START: '2026-03-04T18:00:00Z' });
  const { context } = world;
  app = await testApp(context, mountIncome);
  ann = await signUp(context, { name: 'Ann' });
  bob = await signUp(context, { name: 'Bob' });
  directs = await addTeam(context, [ann.memberId, ann.memberId, ann.memberId]);
  for (below = []; below.length < 3; )
    below.push(...(await addTeam(context, [below.at(-1) ?? (directs[0] as bigint)])));
  await settleSession(context, '2026-02-27', wholeTeam());
  await settleSession(context, '2026-03-02', [
    { memberId: ann.memberId, micros: $(10) },
    ...directs.map((memberId) => ({ memberId, micros: $(100) })),
  ]);
  await settleSession(context, '2026-03-03', [{ memberId: bob.memberId, micros: $(100), course: 'up' }]);
  await settleSession(context, '2026-03-04', wholeTeam());
  await payDue(context);
});
afterAll(async () => {
  await app.close();
  await world.database.close();
});

const ask = async (url: string, token = ann.token) => app.ask('GET', url, { token });
const data = async (url: string, token = ann.token) => {
  const { status, body } = await ask(url, token);
  expect([url, status]).toEqual([url, 200]);
  return body.data;
};

/** A whole list, page by page. */
async function readAll<T>(url: string, limit: number, token = ann.token): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages += 1) {
    expect(pages).toBeLessThan(100);
    const joint = url.includes('?') ? '&' : '?';
    const page: { items: T[]; next_cursor: string | null } = await data(
      `${url}${joint}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      token,
    );
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

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

type Row = { day: string; kind: string; amount: number; count: number };

describe('the statement', () => {
  const rows: [day: string, kind: string, amount: number, count: number][] = [
    ['2026-03-04', 'referral', 0.24, 1],
    ['2026-03-04', 'level', 0.044, 1],
    ['2026-03-04', 'team_profit', 0.0478, 1],
    ['2026-03-04', 'trade', -0.04, 1],
    ['2026-03-02', 'referral', 0.24, 1],
    ['2026-03-02', 'trade', -0.04, 1],
    ['2026-02-27', 'referral', 0.24, 1],
    ['2026-02-27', 'level', 0.044, 1],
    ['2026-02-27', 'team_profit', 0.0478, 1],
    ['2026-02-27', 'trade', -0.04, 1],
  ];
  const withoutWeekly = (items: Row[]) =>
    items.filter(({ kind }) => kind !== 'weekly').map(({ day, kind, amount, count }) => [day, kind, amount, count]);

  test.each([1, 3, 4, 100])('by market day and kind, newest first, each once, in pages of %i', async (limit) => {
    const items = await readAll<Row>('payout', limit);
    expect(withoutWeekly(items)).toEqual(rows);
    expect(items.filter(({ kind }) => kind === 'weekly').map(({ amount, count }) => [amount, count])).toEqual([
      [0.0264, 1],
    ]);
  });

  test('totals are those of the whole filter, on every page, and what the rows add up to', async () => {
    const first = await data('payout?limit=1');
    const items = await readAll<Row>('payout', 7);
    for (const { kind, amount } of first.totals) {
      const sum = items.filter((row) => row.kind === kind).reduce((total, row) => total + row.amount, 0);
      expect([kind, amount]).toEqual([kind, expect.closeTo(sum, 9)]);
    }
    expect(first.totals.map(({ kind }: { kind: string }) => kind)).toEqual([...incomeKinds]);
  });

  test('both days of a period are in it, and a kind alone has its own totals', async () => {
    const period = await data('payout?from=2026-03-01&to=2026-03-03');
    expect(withoutWeekly(period.items)).toEqual(rows.slice(4, 6));
    expect([period.from, period.to]).toEqual(['2026-03-01', '2026-03-03']);
    expect(period.totals).toContainEqual({ kind: 'trade', amount: -0.04 });
    const kind = await data('payout?kind=level&to=2026-02-27');
    expect(kind.items).toEqual([{ day: '2026-02-27', kind: 'level', amount: 0.044, count: 1 }]);
    expect(kind.totals).toEqual([{ kind: 'level', amount: 0.044 }]);
    expect([kind.from, kind.to]).toEqual([null, '2026-02-27']);
  });

  test('days no database knows bound as any other', async () => {
    expect((await data('payout?from=0000-01-01&to=9999-12-31')).items).toHaveLength(rows.length + 1);
    expect((await data('payout?to=0000-01-01')).items).toEqual([]);
  });

  test.each(['payout?from=2026-03-05&to=2026-03-04', 'payout?from=2026-03-05&to=2026-03-04&format=csv'])(
    'a period that ends before it begins is refused: %s',
    async (url) => {
      const { status, body } = await ask(url);
      expect([status, body.code, body.validation_results[0].field]).toEqual([422, 'period_turned', 'to']);
    },
  );

  test('as a file it is a CSV of all rows, with a name, whatever the page is', async () => {
    const { status, headers, text } = await ask('payout?format=csv&limit=1&kind=trade&from=2026-03-01');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename="income-statement-2026-03-01-to-today.csv"');
    expect(text).toBe(
      'Market day,Income,Amount,Count\r\n2026-03-04,Trade income,-0.04,1\r\n2026-03-02,Trade income,-0.04,1\r\n',
    );
  });

  test('an empty file has its head', async () => {
    expect((await ask('payout?format=csv&kind=reward')).text).toBe('Market day,Income,Amount,Count\r\n');
  });

  test('a file is whole however many days there are, in the order of the list', async () => {
    const carl = await signUp(world.context, { name: 'Carl' });
    await sql`
      insert into trading.daily_result (member_id, session_day, trades, winning, losing, volume, result, trade_fees, performance_fees,
        best_result, best_trade_id, worst_result, worst_trade_id, compounding_trades, compounding_volume, compounding_result)
      select ${carl.memberId}, '2024-12-31'::date - n, 3, 0, 0, 1, n * 1000, 0, 0, 0, 1, 0, 1, 1, 1, -n * 1000
      from generate_series(1, 1201) as n`.execute(world.context.db);
    const lines = (await ask('payout?format=csv', carl.token)).text.split('\r\n').slice(1, -1);
    expect(lines).toHaveLength(2402);
    expect(lines.slice(0, 2)).toEqual(['2024-12-30,Trade income,0.002,2', '2024-12-30,Compounding income,-0.001,1']);
    expect(lines.map((line) => line.slice(0, 10))).toEqual(
      [...lines.map((line) => line.slice(0, 10))].sort().reverse(),
    );
    const items = await readAll<Row>('payout?kind=compounding', 100, carl.token);
    expect(items).toHaveLength(1201);
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
  'bounus/monthly-weekly?cursor=x',
  'bounus/monthly-salary?cursor=20260302',
  'payout?cursor=17',
  'payout?cursor=2026-02-30_trade',
])('a cursor of another list is refused: %s', async (url) => {
  const { status, body } = await ask(url);
  expect([status, body.code, body.validation_results[0].field]).toEqual([422, 'validation', 'cursor']);
});

test('every call refuses a stranger', async () => {
  const { income, team, solvency, feePlanDryRun } = endpoints;
  const calls = [income, team, solvency, feePlanDryRun].flatMap((rows) => Object.values(rows));
  expect(calls).toHaveLength(15);
  for (const { method, path } of calls) {
    const url = `${apiBase}${path.replace(':kind', 'referral').replace(':id', '1')}`;
    const { status, body } = await app.ask(method, url, method === 'POST' ? { body: {} } : {});
    expect([url, status, body.code]).toEqual([url, 401, 'session_required']);
  }
});
