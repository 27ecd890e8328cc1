import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { incomeKinds } from '#contract/income.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { signUp } from '#test/worlds/members.ts';
import { openCallsWorld } from './calls-world.test-setup.ts';

const world = closeAfterAll(await openCallsWorld());
const { ask, data, readAll } = world;

type Row = { day: string; kind: string; amount: number; count: number };

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
    'Market day,Income,Amount (USD),Count\r\n2026-03-04,Trade income,-0.04,1\r\n2026-03-02,Trade income,-0.04,1\r\n',
  );
});

test('an empty file has its head', async () => {
  expect((await ask('payout?format=csv&kind=reward')).text).toBe('Market day,Income,Amount (USD),Count\r\n');
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
  expect(lines.map((line) => line.slice(0, 10))).toEqual([...lines.map((line) => line.slice(0, 10))].sort().reverse());
  const items = await readAll<Row>('payout?kind=compounding', 100, carl.token);
  expect(items).toHaveLength(1201);
});
