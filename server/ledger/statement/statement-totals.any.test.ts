import { describe, expect, test } from 'vitest';
import { inSnapshot } from '#server/db/tx.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { type MemberClass, memberClassNames } from '../core/account.ts';
import {
  deposit,
  house,
  of,
  openLedger,
  place,
  postAll,
  postOne,
  reverseOne,
  transfer,
} from '../ledger-world.test-setup.ts';
import { listStatement, type StatementLine } from './statement.ts';
import { sumStatement } from './statement-totals.ts';

/** Ten days of March, one transfer a day, for member 1; the other members must be left out. */
const database = await openLedger(1n, 2n, 3n);
await postAll(database.db, [
  deposit('day -1', 2n, 900n),
  deposit('day 0', 1n, 100_000_000n),
  place('day 1', 1n, 60_000_000n),
  transfer('day 2', of(1n, 'trade_escrow'), house('trade_fees'), 240_000n, 'trade_fee'),
  transfer('day 3', of(1n, 'trade_escrow'), of(1n, 'primary'), 59_760_000n, 'trade_return'),
  transfer('day 4', house('venue'), of(1n, 'profit'), 1n, 'trade_profit'),
  deposit('day 5', 1n, 7_000_001n),
  transfer('day 6', of(1n, 'primary'), of(1n, 'withdrawal_hold'), 10_000_000n, 'withdrawal_hold'),
  transfer('day 7', of(1n, 'withdrawal_hold'), of(1n, 'primary'), 10_000_000n, 'withdrawal_release'),
  deposit('day 8', 1n, 3n),
]);
const wrong = await postOne(database.db, deposit('day 9', 1n, 500n));
await reverseOne(database.db, wrong.id, 'day 10');
// The eighth was committed minutes after the ninth, as concurrent postings can be.
await tamper(
  database,
  `update ledger.transfer t set created_at = timestamptz '2026-03-01' + make_interval(days => d.day, mins => case d.day when 8 then 1445 else 0 end)
   from generate_series(-1, 10) as d(day) where t.key = 'day ' || d.day`,
);

type Query = Partial<Parameters<typeof sumStatement>[1]>;

const sum = (query: Query = {}) => inSnapshot(database.db, (tx) => sumStatement(tx, { memberId: 1n, ...query }));
const day = (number: number, minutes = 0) => new Date(Date.UTC(2026, 2, 1 + number, 0, minutes));
const moved = (balances: Readonly<Record<MemberClass, bigint>>) =>
  memberClassNames.filter((name) => balances[name] !== 0n).map((name) => [name, balances[name]]);

test('the lifetime opens at zero, closes with the balances, and states the sum of each reason', async () => {
  const totals = await sum();
  expect(moved(totals.opening)).toEqual([]);
  expect(moved(totals.closing)).toEqual([
    ['primary', 106_760_004n],
    ['profit', 1n],
  ]);
  expect(totals.sums.toSorted((a, b) => `${a.class} ${a.reason}`.localeCompare(`${b.class} ${b.reason}`))).toEqual([
    { class: 'primary', reason: 'deposit', receivedMicros: 107_000_504n, spentMicros: 0n, lines: 4 },
    { class: 'primary', reason: 'reversal', receivedMicros: 0n, spentMicros: 500n, lines: 1 },
    { class: 'primary', reason: 'trade_place', receivedMicros: 0n, spentMicros: 60_000_000n, lines: 1 },
    { class: 'primary', reason: 'trade_return', receivedMicros: 59_760_000n, spentMicros: 0n, lines: 1 },
    { class: 'primary', reason: 'withdrawal_hold', receivedMicros: 0n, spentMicros: 10_000_000n, lines: 1 },
    { class: 'primary', reason: 'withdrawal_release', receivedMicros: 10_000_000n, spentMicros: 0n, lines: 1 },
    { class: 'profit', reason: 'trade_profit', receivedMicros: 1n, spentMicros: 0n, lines: 1 },
    { class: 'trade_escrow', reason: 'trade_fee', receivedMicros: 0n, spentMicros: 240_000n, lines: 1 },
    { class: 'trade_escrow', reason: 'trade_place', receivedMicros: 60_000_000n, spentMicros: 0n, lines: 1 },
    { class: 'trade_escrow', reason: 'trade_return', receivedMicros: 0n, spentMicros: 59_760_000n, lines: 1 },
    { class: 'withdrawal_hold', reason: 'withdrawal_hold', receivedMicros: 10_000_000n, spentMicros: 0n, lines: 1 },
    { class: 'withdrawal_hold', reason: 'withdrawal_release', receivedMicros: 0n, spentMicros: 10_000_000n, lines: 1 },
  ]);
});

describe('totals are the sums of the lines of the same filter, and balances those of the lines before them', () => {
  const bounds = [undefined, day(-40), day(1), day(3, 1), day(9, 5), day(9, 6), day(30)];
  const periods = bounds.flatMap((from, first) => bounds.slice(first).map((to) => ({ from, to })));
  const filters: readonly Omit<Query, 'from' | 'to'>[] = [
    {},
    { classes: ['primary'] },
    { classes: ['trade_escrow'], reasons: ['trade_fee', 'trade_return'] },
    { reasons: ['reversal'] },
    { memberId: 2n },
    { memberId: 3n },
  ];
  test.each(filters)('%o', async (filter) => {
    const { memberId = 1n } = filter;
    const all = await listStatement(database.db, { memberId, limit: 100 });
    const wanted = await listStatement(database.db, { memberId, ...filter, limit: 100 });
    for (const { from, to } of periods) {
      const { opening, closing, sums } = await sum({ ...filter, from, to });
      const lines = wanted.filter(
        (line) => !isBefore(line, from ?? day(-2)) && (to === undefined || isBefore(line, to)),
      );
      expect(sums.reduce((count, { lines }) => count + lines, 0)).toBe(lines.length);
      for (const name of memberClassNames) {
        const own = lines.filter((line) => line.class === name).map((line) => line.signedMicros);
        const ofClass = sums.filter((one) => one.class === name);
        expect(add(ofClass.map((one) => one.receivedMicros))).toBe(add(own.filter((amount) => amount > 0n)));
        expect(add(ofClass.map((one) => one.spentMicros))).toBe(-add(own.filter((amount) => amount < 0n)));
        const ofAll = all.filter((line) => line.class === name);
        const balanceAt = (at: Date) =>
          add(ofAll.filter((line) => isBefore(line, at)).map((line) => line.signedMicros));
        expect(opening[name]).toBe(balanceAt(from ?? day(-2)));
        expect(closing[name]).toBe(balanceAt(to ?? new Date(8.64e15)));
      }
    }
  });
});

const isBefore = (line: StatementLine, at: Date) => line.createdAt < at;
const add = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n);

test('a period ends no later than the time of reading, however far it was to go, and covers all that was read', async () => {
  const before = Date.now();
  for (const to of [undefined, new Date('9999-12-31T23:59:59Z')]) {
    const totals = await sum(to === undefined ? {} : { to });
    expect(totals.to.getTime()).toBeGreaterThan(before - 1_000);
    expect(totals.to.getTime()).toBeLessThan(Date.now() + 1_000);
    expect(await sum({ to: totals.to })).toEqual(totals);
  }
  expect((await sum({ from: day(2), to: day(4) })).to).toEqual(day(4));
});

test('a period in the future opens and closes with the current balance', async () => {
  const from = new Date('2999-01-01T00:00:00Z');
  const totals = await sum({ from });
  expect(totals).toMatchObject({ to: from, sums: [], opening: totals.closing });
  expect(totals.closing.primary).toBe(106_760_004n);
});

test('lines that do not add up to the balance are an error and are not shown', async () => {
  await tamper(database, 'update ledger.account set balance = balance + 1 where member_id = 2 and class = 1');
  await expect(sum({ memberId: 2n })).rejects.toThrow('the statement of primary of member 2 does not add up');
  await tamper(database, 'update ledger.account set balance = balance - 1 where member_id = 2 and class = 1');
});
