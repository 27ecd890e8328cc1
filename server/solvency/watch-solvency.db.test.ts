import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { findValue, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, sealLedger, type Transfer } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { VenueFault } from '#server/trading/index.ts';
import { realPaymentsEnv } from '#test/fake-servers/btcpay.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { type testClock, testContext } from '#test/worlds/builders.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { getAlarms } from './alarm.ts';
import { getReported } from './get-reported.ts';
import { type Reporters, reportBalances } from './report-balances.ts';
import { watchSolvency } from './watch-solvency.ts';

let database: Database;
let paper: Context;
let staging: Context;
let clock: ReturnType<typeof testClock>;
let anna: Awaited<ReturnType<typeof signUp>>;

const env = {
  ...realPaymentsEnv,
  PAYMENTS: 'btcpay',
  BTCPAY_URL: 'http://127.0.0.1:1',
  BTCPAY_STORE_ID: 'storestorestore',
  BTCPAY_API_KEY: 'keykeykeykey',
  BTCPAY_PAYOUT_KEY: 'payoutkeypayoutkey',
  BTCPAY_WEBHOOK_SECRET: 'a secret of the test',
};

/** 100 $ of Anna's, 40 of them moved to the exchange. */
beforeEach(async () => {
  ({ database, context: paper, clock } = await bootWithoutMarket('2026-03-04T09:00:00Z'));
  staging = testContext(database, clock, env);
  anna = await signUp(paper, { name: 'Anna' });
  await giveFunds(paper, anna.memberId, 100_000_000n);
  await move('fund', { from: { class: 'venue' }, to: { class: 'gateway' }, reason: 'venue_fund' }, 40_000_000n);
});
afterEach(() => database.close());

const move = (key: string, way: Pick<Transfer, 'from' | 'to' | 'reason'>, amountMicros: bigint) =>
  inTransaction(paper.db, (tx) =>
    post(tx, [{ key, ...way, amountMicros, reference: 'test', marketAt: clock.now(), note: 'test' }]),
  );

const deposit = (micros: bigint) =>
  move(
    `deposit ${crypto.randomUUID()}`,
    { from: { class: 'gateway' }, to: { memberId: anna.memberId, class: 'primary' }, reason: 'deposit' },
    micros,
  );

const reports = (gateway: bigint | undefined, venue: bigint | undefined): Reporters => ({
  gateway: async () => gateway,
  venue: async () => venue,
});
const isStopped = () => findValue(paper.db)<boolean>`
    select stopped_at is not null as stopped from funds.payout_switch`;

test('while assets cover what is owed there is no alarm', async () => {
  await watchSolvency(paper);
  expect(await getAlarms(paper.db)).toEqual([]);
  expect(await isStopped()).toBe(false);
});

test('liabilities above the booked assets stop payouts; a capital deposit clears the alarm, but not the stop', async () => {
  await makeOperator(paper, 'admin');
  const gift = { from: { class: 'adjustments' }, to: { memberId: anna.memberId, class: 'primary' } } as const;
  await move('gift', { ...gift, reason: 'correction' }, 1n);
  await watchSolvency(paper);
  await watchSolvency(paper);
  expect(await getAlarms(paper.db)).toMatchObject([
    {
      cause: 'solvency',
      why: 'Assets do not cover liabilities: liabilities $100.000001, assets $100.00 by the ledger.',
    },
  ]);
  expect(await isStopped()).toBe(true);
  expect(await listRows(paper.db)`select 1 from notify.mail where subject like '%payouts stopped'`).toHaveLength(1);

  await move('capital', { from: { class: 'gateway' }, to: { class: 'adjustments' }, reason: 'capital_in' }, 1n);
  await watchSolvency(paper);
  expect(await getAlarms(paper.db)).toEqual([]);
  expect(await isStopped()).toBe(true);
});

test('liabilities above the reported assets stop payouts, whatever the books say', async () => {
  await reportBalances(staging, reports(60_000_000n, 39_999_999n));
  await watchSolvency(staging);
  expect(await getAlarms(paper.db)).toMatchObject([
    {
      cause: 'solvency',
      why: 'Assets do not cover liabilities: liabilities $100.00, assets $99.999999 reported by gateway and exchange, without what is on its way between them.',
    },
  ]);
  expect(await isStopped()).toBe(true);
  await reportBalances(staging, reports(60_000_000n, 40_000_000n));
  await watchSolvency(staging);
  expect(await getAlarms(paper.db)).toEqual([]);
});

test('a missing report is logged once, as long as the same ones are missing', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const watch = () => watchSolvency({ ...staging, log });
  const named = () => lines.splice(0).map((line) => JSON.parse(line).sources);
  for (let minute = 0; minute < 3; minute += 1) await watch();
  expect(named()).toEqual([['gateway', 'venue']]);
  await reportBalances(staging, reports(60_000_000n, undefined));
  for (let minute = 0; minute < 3; minute += 1) await watch();
  expect(named()).toEqual([['venue']]);
  await reportBalances(staging, reports(60_000_000n, 40_000_000n));
  await watch();
  expect(named()).toEqual([]);
});

test('what was booked since a report counts with it: deposits are no shortfall, and none that it showed goes away', async () => {
  await reportBalances(staging, reports(60_000_000n, 40_000_000n));
  clock.advance(300);
  await deposit(50_000_000n);
  await watchSolvency(staging);
  expect(await getAlarms(paper.db)).toEqual([]);
  expect(await getReported(staging)).toMatchObject({ gateway: { booked: 110, reported: 60 }, counted: 150 });
  await reportBalances(staging, reports(109_000_000n, 40_000_000n));
  await deposit(50_000_000n);
  await watchSolvency(staging);
  expect(await getAlarms(paper.db)).toMatchObject([
    {
      why: 'Assets do not cover liabilities: liabilities $200.00, assets $199.00 reported by gateway and exchange, without what is on its way between them.',
    },
  ]);
});

test('a report is repeated when the booked balance changed meanwhile, at most three times', async () => {
  let asked = 0;
  const moving = (times: number): Reporters => ({
    ...reports(undefined, 40_000_000n),
    gateway: async () => {
      asked += 1;
      if (asked <= times) await deposit(10_000_000n);
      return 60_000_000n + BigInt(asked) * 10_000_000n;
    },
  });
  await reportBalances(staging, moving(1));
  expect(asked).toBe(2);
  expect(await getReported(staging)).toMatchObject({ gateway: { booked: 70, reported: 80 } });
  asked = 0;
  await reportBalances(staging, moving(9));
  expect(asked).toBe(3);
  // Between 90 and 100 were booked when 90 was reported.
  expect(await getReported(staging)).toMatchObject({ gateway: { booked: 100, reported: 90 }, counted: 140 });
});

test('in paper mode no report is queried, and every figure is simulated', async () => {
  await reportBalances(paper, { gateway: unasked, venue: unasked });
  expect(endpoints.solvencySeal.getReported.data.parse(await getReported(paper))).toEqual({
    simulated: true,
    gateway: { state: 'simulated', booked: 60, reported: null, at: null },
    venue: { state: 'simulated', booked: 40, reported: null, at: null },
    total: 100,
    counted: 100,
  });
});

const unasked = async () => {
  throw new Error('asked');
};

test('a report counts for an hour; then it is unknown, its time is still shown, and the books count', async () => {
  await reportBalances(staging, reports(50_000_000n, 40_000_000n));
  const at = clock.now().toISOString();
  clock.advance(3600);
  expect(await getReported(staging)).toMatchObject({
    gateway: { state: 'reported', booked: 60, reported: 50, at },
    total: 90,
    counted: 90,
  });
  clock.advance(1);
  expect(await getReported(staging)).toMatchObject({
    gateway: { state: 'unknown', booked: 60, reported: null, at },
    total: null,
    counted: 100,
  });
});

test('a failed report is not stored as zero, and does not prevent the other', async () => {
  await reportBalances(staging, {
    gateway: async () => {
      throw new Refused('gateway_unavailable');
    },
    venue: async () => 40_000_000n,
  });
  expect(await getReported(staging)).toMatchObject({
    gateway: { state: 'unknown', reported: null, at: null },
    venue: { state: 'reported', reported: 40 },
    total: null,
    counted: 100,
  });
  await reportBalances(staging, {
    gateway: async () => undefined,
    venue: async () => {
      throw new VenueFault('unreachable', 'nobody there');
    },
  });
  expect(await getReported(staging)).toMatchObject({ gateway: { state: 'unknown' }, venue: { reported: 40 } });
});

test('any other error is not treated as a missing report', async () => {
  await expect(reportBalances(staging, { gateway: unasked, venue: unasked })).rejects.toThrow('asked');
});

test('a ledger that does not balance is an alarm as well', async () => {
  await sealLedger(paper);
  await tamper(database, 'update ledger.checkpoint set balance = balance + 1 where class = 6');
  await watchSolvency(paper);
  expect(await getAlarms(paper.db)).toMatchObject([
    {
      cause: 'solvency',
      why: 'The ledger does not balance: assets do not equal liabilities plus surplus.',
    },
  ]);
  expect(await isStopped()).toBe(true);
});
