import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { approveWithdrawal } from '../review/approve-withdrawal.ts';
import { decideDeposit } from '../review/decide-deposit.ts';
import { rejectWithdrawal, takeWithdrawal } from '../review/decide-withdrawal.ts';
import { setPayoutSwitch } from '../review/payout-switch.ts';
import { openOfficeWorld } from '../review/review-world.test-setup.ts';
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { setWithdrawalsFrozen } from '../withdrawals/freeze-withdrawals.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());
beforeEach(() => world.clock.advance(24 * 3600));

/** Approved withdrawals of two members, as many as the daily limits allow. */
const approved = async (count: number): Promise<WithdrawalRow[]> => {
  const members = [await world.addWithdrawer(), await world.addWithdrawer()];
  const rows: WithdrawalRow[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await world.addRequested(100, { memberId: members[index % 2] as bigint });
    rows.push(await approveWithdrawal(world.context, actorOf(world.finance), await world.seen(id)));
  }
  return rows;
};
const payoutsOf = async (rows: readonly WithdrawalRow[]): Promise<number[]> => {
  const references = rows.map((row) => row.reference);
  const { rows: found } = await sql<{ reference: string; n: number }>`
    select reference, count(*)::int as n from funds.sandbox_payout
    where reference = any(${references}::text[]) group by reference`.execute(world.context.db);
  return references.map((reference) => found.find((row) => row.reference === reference)?.n ?? 0);
};

/** Locks a member's row in another session until the returned function is called. */
const holdMember = (memberId: bigint) =>
  holdOpen(world.context.db, (tx) => sql`select 1 from identity.member where id = ${memberId} for update`.execute(tx));

test('a member whose row another session holds between claim and order delays the payout, whose outcome stays known', async () => {
  const [held, other] = (await approved(2)) as [WithdrawalRow, WithdrawalRow];
  let release: (() => Promise<void>) | undefined;
  const gateway: Gateway = {
    ...world.gateway,
    findPayout: async (order, since) => {
      const found = await world.gateway.findPayout(order, since);
      if (order.reference !== held.reference) return found;
      release = await holdMember(held.member_id);
      return found;
    },
  };
  await expect(payWithdrawals(world.context, [gateway])).rejects.toThrow('could not be paid');
  await release?.();
  expect(await world.withdrawal(held.id)).toMatchObject({ state: 'approved', payout_way: null, gateway: null });
  expect(await payoutsOf([held, other])).toEqual([0, 1]);
  world.clock.advance(61);
  await followPayouts(world.context);
  expect(await payWithdrawals(world.context)).toBe(1);
  expect(await payoutsOf([held, other])).toEqual([1, 1]);
  expect(await world.findings()).toEqual([]);
});

test('a member whose row another session holds when the gateway asks for the confirmation delays no other payout', async () => {
  const [held, other] = (await approved(2)) as [WithdrawalRow, WithdrawalRow];
  const ordered = Promise.withResolvers<void>();
  let release: (() => Promise<void>) | undefined;
  const confirmed: string[] = [];
  const gateway: Gateway = {
    ...world.gateway,
    createPayout: async (order) => {
      const payout = await world.gateway.createPayout(order);
      if (order.reference === other.reference) ordered.resolve();
      if (order.reference !== held.reference) return payout;
      release = await holdMember(held.member_id);
      return { ...payout, state: 'unconfirmed' };
    },
    confirmPayout: async (payoutId) => void confirmed.push(payoutId),
  };
  const paying = payWithdrawals(world.context, [gateway]);
  const failed = expect(paying).rejects.toThrow('could not be paid: 1');
  await Promise.race([ordered.promise, paying]);
  expect(await payoutsOf([held, other])).toEqual([1, 1]);
  await release?.();
  await failed;
  expect(confirmed).toEqual([]);
  expect(await world.withdrawal(held.id)).toMatchObject({ state: 'approved', payout_id: expect.any(String) });
  world.clock.advance(10);
  await followPayouts(world.context, [gateway]);
  expect((await world.withdrawal(held.id)).state).not.toBe('uncertain');
  expect(await world.findings()).toEqual([]);
});

test('two operators approving at once: one has to reload, and both are needed', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await world.addRequested(5000);
    const seen = [await world.seen(id, world.finance), await world.seen(id, world.second)];
    const { done, refused } = await atOnce([
      approveWithdrawal(world.context, actorOf(world.finance), seen[0] as never),
      approveWithdrawal(world.context, actorOf(world.second), seen[1] as never),
    ]);
    expect([done.length, refused]).toEqual([1, ['withdrawal_changed']]);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'requested', version: 2 });
  }
});

test('approve, reject and cancel at once: exactly one succeeds, and the ledger shows which', async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 12; round += 1) {
    const { id, member_id } = await world.addRequested(100);
    const seen = await world.seen(id);
    const after = async (queries: number, decide: () => Promise<unknown>) => {
      for (let query = 0; query < queries; query += 1) await world.withdrawal(id);
      return decide();
    };
    // Verifying the second factor is slow, so the others would always win: they start with increasing delays.
    const { done } = await atOnce([
      approveWithdrawal(world.context, actorOf(world.finance), seen),
      after(round, () => rejectWithdrawal(world.context, actorOf(world.second), { ...seen, reason: 'No.' })),
      after(round * 2, () => cancelWithdrawal(world.context, member_id, id)),
    ]);
    expect(done).toHaveLength(1);
    const { state } = await world.withdrawal(id);
    ends.add(state);
    expect(await world.held(member_id)).toBe(state === 'approved' ? usd(100) : 0n);
  }
  expect(ends.size).toBeGreaterThan(1);
  expect(await world.findings()).toEqual([]);
});

test('16 workers paying the same 20 withdrawals order each once, and complete each once', async () => {
  const rows = await approved(20);
  await Promise.all(Array.from({ length: 16 }, () => payWithdrawals(world.context, [world.gateway])));
  expect(await payoutsOf(rows)).toEqual(rows.map(() => 1));
  world.clock.advance(60);
  await Promise.all(Array.from({ length: 16 }, () => followPayouts(world.context, [world.gateway])));
  for (const { id } of rows) expect((await world.withdrawal(id)).state).toBe('completed');
  expect(await world.findings()).toEqual([]);
});

test('the switch against 20 payouts: what passed the guard before is sent, nothing is afterwards', async () => {
  const rows = await approved(20);
  const paying = Promise.all(Array.from({ length: 4 }, () => payWithdrawals(world.context, [world.gateway])));
  const stop = setPayoutSwitch(world.context, actorOf(world.finance), { stopped: true, why: 'audit' });
  await stop;
  const claimed = async () => {
    const now = await Promise.all(rows.map((row) => world.withdrawal(row.id)));
    return now.filter((row) => row.payout_way === 'gateway').length;
  };
  const atStop = await claimed();
  await paying;
  const sent = (await payoutsOf(rows)).filter((count) => count > 0).length;
  expect(sent).toBeLessThanOrEqual(atStop);
  expect(await claimed()).toBe(sent);
  expect(await payWithdrawals(world.context, [world.gateway])).toBe(0);
  const goOn = { stopped: false, why: 'done', otp: await world.finance.code() };
  await setPayoutSwitch(world.context, actorOf(world.finance), goOn);
  world.clock.advance(60);
  await payWithdrawals(world.context, [world.gateway]);
  expect(await payoutsOf(rows)).toEqual(rows.map(() => 1));
  expect(await world.findings()).toEqual([]);
});

test('taking it by hand, the job and a freeze at once: it is paid in one way, or waits', async () => {
  const ways = new Set<string>();
  for (let round = 0; round < 9; round += 1) {
    const [row] = (await approved(1)) as [WithdrawalRow];
    const seen = await world.seen(row.id);
    const turn = { memberId: row.member_id, why: 'phone' };
    const rivals = [
      () => takeWithdrawal(world.context, actorOf(world.finance), seen),
      () => payWithdrawals(world.context, [world.gateway]),
      () => setWithdrawalsFrozen(world.context, actorOf(world.second), turn),
    ];
    await atOnce(times(3, (index) => (rivals[(index + round) % 3] as () => Promise<unknown>)()));
    const { state, payout_way } = await world.withdrawal(row.id);
    const [payouts] = await payoutsOf([row]);
    expect(payouts).toBe(state === 'sent' ? 1 : 0);
    ways.add(`${state} ${payout_way}`);
  }
  expect([...ways].every((way) => ['approved null', 'approved hand', 'sent gateway'].includes(way))).toBe(true);
  expect(await world.findings()).toEqual([]);
});

test('a deposit credited and sent back by two operators at once goes one way', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { id, member_id } = await world.addDeposit(100);
    await payInSandbox(world.context, { depositId: id }, 'expire');
    await payInSandbox(world.context, { depositId: id }, 'again');
    const { version } = await world.find(id);
    const about = { version, reason: 'Late.', transaction: 'abcdef' };
    const otps = [await world.finance.code(), await world.second.code()] as const;
    const { done, refused } = await atOnce([
      decideDeposit(world.context, actorOf(world.finance), id, { ...about, decision: 'credit', otp: otps[0] }),
      decideDeposit(world.context, actorOf(world.second), id, { ...about, decision: 'refund', otp: otps[1] }),
    ]);
    expect([done.length, refused]).toEqual([1, ['deposit_changed']]);
    const { state } = await world.find(id);
    expect(await world.primary(member_id)).toBe(state === 'credited' ? usd(100) : 0n);
  }
  expect(await world.findings()).toEqual([]);
});

test('withdrawals of a member whose row another session holds are paid afterwards, and those of others meanwhile', async () => {
  const [held, other] = (await approved(2)) as [WithdrawalRow, WithdrawalRow];
  await inTransaction(world.context.db, async (tx) => {
    await sql`select 1 from identity.member where id = ${held.member_id} for update`.execute(tx);
    await expect(payWithdrawals(world.context)).rejects.toThrow('Withdrawals that could not be paid: 1');
    expect(await payoutsOf([held, other])).toEqual([0, 1]);
  });
  await payWithdrawals(world.context);
  expect(await payoutsOf([held, other])).toEqual([1, 1]);
});

test('a payout whose row another session holds is followed afterwards, and those of others meanwhile', async () => {
  const rows = (await approved(2)) as [WithdrawalRow, WithdrawalRow];
  await payWithdrawals(world.context);
  world.clock.advance(600);
  const states = () => Promise.all(rows.map(async ({ id }) => (await world.withdrawal(id)).state));
  await inTransaction(world.context.db, async (tx) => {
    await sql`select 1 from funds.withdrawal where id = ${rows[0].id} for update`.execute(tx);
    await expect(followPayouts(world.context)).rejects.toThrow('Payouts that could not be followed: 1');
    expect(await states()).toEqual(['sent', 'completed']);
  });
  await followPayouts(world.context);
  expect(await states()).toEqual(['completed', 'completed']);
});
