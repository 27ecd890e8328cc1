import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { tamper } from '#test/worlds/tamper.ts';
import { deposit, house, marketAt, of, openLedger, place, postAll, transfer } from '../ledger-world.test-setup.ts';
import { listStatement, type StatementLine, type StatementQuery, sumTransfers } from './statement.ts';

const database = await openLedger(1n, 2n, 3n);
const { db } = database;
await postAll(db, [
  deposit('1', 1n, 100n),
  deposit('other', 2n, 900n),
  place('2', 1n, 60n),
  transfer('3', of(1n, 'trade_escrow'), house('trade_fees'), 1n, 'trade_fee', { note: 'fee' }),
  transfer('4', of(1n, 'trade_escrow'), of(1n, 'primary'), 59n, 'trade_return'),
  transfer('5', house('venue'), of(1n, 'profit'), 7n, 'trade_profit'),
]);

const list = (query: Partial<StatementQuery> = {}) => listStatement(db, { memberId: 1n, limit: 50, ...query });
const short = (lines: readonly StatementLine[]) =>
  lines.map((line) => [line.class, line.reason, line.signedMicros, line.balanceAfterMicros]);

const whole = [
  ['profit', 'trade_profit', 7n, 7n],
  ['primary', 'trade_return', 59n, 99n],
  ['trade_escrow', 'trade_return', -59n, 0n],
  ['trade_escrow', 'trade_fee', -1n, 59n],
  ['trade_escrow', 'trade_place', 60n, 60n],
  ['primary', 'trade_place', -60n, 40n],
  ['primary', 'deposit', 100n, 100n],
];

test('lines are newest first, a transfer between two own accounts is two lines, and no other member appears', async () => {
  const lines = await list();
  expect(short(lines)).toEqual(whole);
  expect(lines[3]).toMatchObject({ reference: 'test', note: 'fee', marketAt });
  expect(lines[3]?.createdAt).toBeInstanceOf(Date);
});

test.for([1, 2, 3, 4, 7])('pages of %i lines join without gap or repetition', async (limit) => {
  const seen: StatementLine[] = [];
  for (let page = await list({ limit }); page.length > 0; page = await list({ limit, before: seen.at(-1)?.position })) {
    expect(page.length).toBeLessThanOrEqual(limit);
    seen.push(...page);
  }
  expect(short(seen)).toEqual(whole);
});

test('filters by account and reason, each and together', async () => {
  expect(short(await list({ classes: ['primary'] }))).toEqual(whole.filter(([name]) => name === 'primary'));
  expect(short(await list({ reasons: ['trade_return', 'deposit'] }))).toEqual(
    whole.filter(([, reason]) => ['trade_return', 'deposit'].includes(String(reason))),
  );
  expect(short(await list({ classes: ['trade_escrow'], reasons: ['trade_return'] }))).toEqual([
    ['trade_escrow', 'trade_return', -59n, 0n],
  ]);
  expect(await list({ classes: ['profit'], reasons: ['deposit'] })).toEqual([]);
  expect(await list({ classes: [] })).toEqual([]);
});

test('a period includes its first instant and excludes its last', async () => {
  // Ten transfers, one a day, the last two minutes out of order, as concurrent postings can be.
  await postAll(
    db,
    Array.from({ length: 10 }, (_, day) => deposit(`day ${day}`, 2n, 1n)),
  );
  await tamper(
    database,
    `update ledger.transfer t set created_at = timestamptz '2026-03-01Z' + make_interval(hours => 24 * d.day, mins => case d.day when 8 then 1445 else 0 end)
     from generate_series(0, 9) as d(day) where t.key = 'day ' || d.day`,
  );
  const days = async (from: string | undefined, to: string | undefined) => {
    const period = {
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const lines = await list({ memberId: 2n, reasons: ['deposit'], ...period });
    const total = await sumTransfers(db, { memberId: 2n, side: 'credit', reasons: ['deposit'], ...period });
    expect(total).toBe(lines.reduce((sum, line) => sum + line.signedMicros, 0n));
    return lines.filter((line) => line.signedMicros === 1n).length;
  };
  expect(await days('2026-03-03T00:00:00Z', '2026-03-06T00:00:00Z')).toBe(3);
  expect(await days('2026-03-03T00:00:00.001Z', '2026-03-06T00:00:00.001Z')).toBe(3);
  expect(await days(undefined, '2026-03-02T12:00:00Z')).toBe(2);
  expect(await days('2026-03-08T12:00:00Z', '2026-03-20T00:00:00Z')).toBe(2);
  expect(await days('2026-03-10T00:00:00Z', '2026-03-10T00:05:00Z')).toBe(1);
  expect(await days('2026-03-10T00:05:00Z', '2026-03-10T00:06:00Z')).toBe(1);
  expect(await days('2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z')).toBe(0);
  expect(await days('2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z')).toBe(0);
});

test('sums count one side, over the requested reasons and accounts', async () => {
  const sum = (query: Omit<Parameters<typeof sumTransfers>[1], 'memberId'>) =>
    sumTransfers(db, { memberId: 1n, ...query });
  expect(await sum({ side: 'credit', reasons: ['deposit', 'deposit_allocated'] })).toBe(100n);
  expect(await sum({ side: 'debit', reasons: ['trade_place'] })).toBe(60n);
  expect(await sum({ side: 'credit', reasons: ['trade_return', 'trade_profit'] })).toBe(66n);
  expect(await sum({ side: 'credit', reasons: ['trade_return', 'trade_profit'], classes: ['profit'] })).toBe(7n);
  expect(await sum({ side: 'credit', reasons: ['withdrawal_payout'] })).toBe(0n);
  expect(await sum({ side: 'credit', reasons: [] })).toBe(0n);
});

test('any page of any filter is read from the ends of index ranges', async () => {
  const { rows } = await sql<{
    definition: string;
  }>`select indexdef as definition from pg_indexes where schemaname = 'ledger' and tablename = 'transfer'`.execute(db);
  const definitions = rows.map((row) => row.definition).join('\n');
  expect(definitions).toContain('(from_account, reason, id)');
  expect(definitions).toContain('(to_account, reason, id)');
});
