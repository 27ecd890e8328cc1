import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction, type Once } from '#server/db/tx.ts';
import { getBalances, verifyLedger } from '#server/ledger/index.ts';
import { orRefuse } from '#server/refused.ts';
import { followMarket } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, codeOf, times } from '#test/kit/at-once.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { playUntil } from '#test/recorded/recorded-market.ts';
import { makeConfirmedAdmin, makeOperator } from '#test/worlds/operators.ts';
import { addWithdrawer, readCode, rushFault, rushKinds, rushWithdrawals } from '#test/worlds/withdrawal-rush.ts';
import { checkFunds } from '../check-funds.ts';
import { usd } from '../funds-world.test-setup.ts';
import { raisePayoutAlarm } from '../review/payout-switch.ts';
import { cancelWithdrawal } from './cancel-withdrawal.ts';
import { freezeWithdrawals } from './freeze-withdrawals.ts';
import { moveWithdrawal } from './move-withdrawal.ts';
import { refuseUnlessPayable } from './payout-guard.ts';
import { admitWithdrawal, holdWithdrawal, requestWithdrawal } from './request-withdrawal.ts';
import { findAddress, saveAddress } from './save-address.ts';
import { sendOtp } from './send-otp.ts';
import { lockWithdrawal } from './withdrawal.ts';

const ROUNDS = 3;
const world = closeAfterAll(await bootRecorded({ minutes: 60, speed: 300 }));
await playUntil(world.context, '2026-03-04T12:25:00Z', () => followMarket(world.context));
afterAll(async () => {
  expect(await verifyLedger(world.context.db)).toEqual([]);
  expect(await checkFunds(world.context.db)).toEqual([]);
});

const request = (memberId: bigint, dollars: number) =>
  inTransaction(world.context.db, async (tx) => {
    const row = await admitWithdrawal(tx, world.context, { memberId, amountMicros: usd(dollars), wallet: 'primary' });
    await holdWithdrawal(tx, world.context, row);
    return row;
  });
test.each(rushKinds)('of 200 simultaneous attempts at the whole balance exactly one succeeds: %s', async (kind) => {
  const ends = [];
  for (let round = 0; round < ROUNDS; round += 1) ends.push(await rushWithdrawals(world.context, kind));
  expect(ends.flatMap((end) => rushFault(end) ?? [])).toEqual([]);
});

test('of twenty concurrent requests as many are accepted as the daily limit allows', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const memberId = await addWithdrawer(world.context, 60_000);
    const { refused } = await atOnce(times(20, () => request(memberId, 3000)));
    expect(refused).toEqual(Array(17).fill('withdrawal_day_limit'));
    expect(await getBalances(world.context.db, memberId)).toMatchObject({ withdrawal_hold: usd(9000) });
  }
});

test('a day’s limit that is given back while others ask for it is never given twice', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const memberId = await addWithdrawer(world.context, 60_000);
    const { id } = await request(memberId, 10_000);
    const cancelling = cancelWithdrawal(world.context, memberId, id);
    const { done } = await atOnce(times(19, () => request(memberId, 10_000)));
    await cancelling;
    const { rows } = await sql<{ live: bigint }>`
      select live_micros as live from funds.withdrawal_day where member_id = ${memberId}`.execute(world.context.db);
    expect(done.length).toBeLessThanOrEqual(1);
    expect(rows).toEqual([{ live: usd(10_000) * BigInt(done.length) }]);
  }
});

test('one request sent twenty times at once with its key is one withdrawal, and all replies are the same', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const memberId = await addWithdrawer(world.context, 1000);
    await sendOtp(world.context, memberId, { purpose: 'withdrawal', amount: 100, wallet_type: 'primary' });
    const input = { amount: 100, wallet_type: 'primary', otp: await readCode(world.context, memberId) } as const;
    const once: Once = { callerId: memberId, call: 'POST /safe/withdrawal', key: 'twenty', bodyHash: 'h' };
    const { done, refused } = await atOnce(times(20, () => requestWithdrawal(world.context, memberId, input, once)));
    const ids = done.map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    // Five attempts at a code are checked; the others are refused as concurrent or as too many.
    expect(refused.filter((code) => code !== 'idempotency_running' && code !== 'wrong_otp')).toEqual([]);
    expect(await requestWithdrawal(world.context, memberId, input, once)).toMatchObject({ id: ids[0] });
    expect(await getBalances(world.context.db, memberId)).toMatchObject({ withdrawal_hold: usd(100) });
  }
});

test('of twenty addresses saved at once one is current, and all are retained', async () => {
  const memberId = await addWithdrawer(world.context, 100);
  const save = (index: number) =>
    inTransaction(world.context.db, (tx) =>
      saveAddress(tx, world.context, { memberId, network: 'TRC20', address: `T${String(index).padStart(33, 'x')}` }),
    );
  await Promise.all(Array.from({ length: 20 }, (_, index) => save(index)));
  const { rows } = await sql<{ address: string; in_force: boolean }>`
    select address, replaced_at is null as in_force from funds.payout_address
    where member_id = ${memberId} order by id`.execute(world.context.db);
  expect(rows).toHaveLength(21);
  expect(rows.filter((row) => row.in_force)).toEqual([rows.at(-1)]);
  expect((await findAddress(world.context.db, memberId))?.address).toBe(rows.at(-1)?.address);
});

test('a cancellation that waited while the withdrawal was rejected is refused', async () => {
  const memberId = await addWithdrawer(world.context, 100);
  const { id } = await request(memberId, 100);
  let cancelling: Promise<unknown> = Promise.resolve();
  await inTransaction(world.context.db, async (tx) => {
    const withdrawal = orRefuse(await lockWithdrawal(tx, id), 'withdrawal_not_found');
    cancelling = cancelWithdrawal(world.context, memberId, id);
    cancelling.catch(() => {});
    await waitFor(async () => (await countLockWaits(world.context.db)) > 0, 'it waits for the withdrawal');
    const actor = { kind: 'operator', id: 1n } as const;
    await moveWithdrawal(tx, world.context, { withdrawal, to: 'rejected', actor, note: 'Not today' });
  });
  await expect(cancelling).rejects.toMatchObject({ code: 'withdrawal_not_requested' });
});

const stops: readonly [string, string, (tx: Tx, memberId: bigint) => Promise<unknown>][] = [
  [
    'a freeze',
    'withdrawals_frozen',
    (tx, memberId) => {
      const actor = { kind: 'member', id: memberId } as const;
      return freezeWithdrawals(tx, world.context, { memberId, cause: 'not_me', actor, why: 'test' });
    },
  ],
  ['a payout stop', 'payouts_stopped', (tx) => raisePayoutAlarm(tx, 'test', world.context.now())],
];

describe.each(stops)('%s', (_, code, stop) => {
  afterEach(async () => {
    await sql`update funds.payout_switch set stopped_at = null, stopped_by = null, why = null, alarm = null`.execute(
      world.context.db,
    );
  });
  const oneWaits = () => waitFor(async () => (await countLockWaits(world.context.db)) > 0, 'one waits', 5_000);
  const pass = async (tx: Tx, id: bigint) => {
    const withdrawal = orRefuse(await lockWithdrawal(tx, id), 'withdrawal_not_found');
    await refuseUnlessPayable(tx, world.context, withdrawal);
  };

  test('waits for what is inside the payout guard', async () => {
    const memberId = await addWithdrawer(world.context, 100);
    const { id } = await request(memberId, 100);
    let stopping: Promise<unknown> = Promise.resolve();
    await inTransaction(world.context.db, async (tx) => {
      await pass(tx, id);
      stopping = inTransaction(world.context.db, (other) => stop(other, memberId));
      await oneWaits();
    });
    await stopping;
  });

  test('refuses after its commit what was already waiting at the payout guard', async () => {
    const memberId = await addWithdrawer(world.context, 100);
    const { id } = await request(memberId, 100);
    let passing: Promise<unknown> = Promise.resolve();
    await inTransaction(world.context.db, async (tx) => {
      await stop(tx, memberId);
      passing = codeOf(inTransaction(world.context.db, (other) => pass(other, id)));
      await oneWaits();
    });
    expect(await passing).toBe(code);
  });
});

test('in live mode nothing passes the payout guard after a confirmed admin was disabled, even if it was already waiting', async () => {
  const live: Context = { ...world.context, config: { ...world.context.config, mode: 'live' } };
  const admin = await makeOperator(world.context, 'admin');
  await makeConfirmedAdmin(world.context);
  for (let round = 0; round < 5; round += 1) {
    const { operatorId } = await makeConfirmedAdmin(world.context);
    const memberId = await addWithdrawer(world.context, 100);
    await sql`update identity.member set verified_at = now() where id = ${memberId}`.execute(world.context.db);
    const { id } = await request(memberId, 100);
    const order: string[] = [];
    const by = { operatorId: admin.operatorId, otp: await admin.code(), address: '127.0.0.1' };
    const disabling = disableOperator(world.context, by, { operatorId, why: 'left us' }).then(() =>
      order.push('disabled'),
    );
    const passing = inTransaction(world.context.db, async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id);
      if (withdrawal === undefined) throw new Error('no such withdrawal');
      await refuseUnlessPayable(tx, live, withdrawal);
      await sql`select pg_sleep(0.02)`.execute(tx);
      order.push('passed');
    });
    const [, passed] = await Promise.all([disabling, codeOf(passing)]);
    expect(passed === 'done' ? order : passed).toEqual(
      passed === 'done' ? ['passed', 'disabled'] : 'payouts_unconfirmed',
    );
  }
});
