import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeOperatorRole, disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { getHouseBalance } from '#server/ledger/index.ts';
import { orRefuse } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { actorOf, makeOperator, wrongCode } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { claimPayout, confirmHeld, recordPayout } from '../payouts/claim-payout.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import {
  completeWithdrawal,
  failWithdrawal,
  rejectWithdrawal,
  returnWithdrawal,
  sendWithdrawal,
  takeWithdrawal,
} from './decide-withdrawal.ts';
import { setPayoutSwitch } from './payout-switch.ts';
import { openOfficeWorld, watched } from './review-world.test-setup.ts';
import { getOperatorWithdrawal } from './show-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());
const admin = await makeOperator(world.context, 'admin');
beforeEach(() => world.clock.advance(24 * 3600));
const decision = async () => ({ operatorId: admin.operatorId, otp: await admin.code(), address: '127.0.0.1' });

const transaction = 'a1b2c3d4e5f6';
const take = async (id: bigint, operator = world.finance) =>
  takeWithdrawal(world.context, actorOf(operator), await world.seen(id, operator));
const send = async (id: bigint, operator = world.finance) =>
  sendWithdrawal(world.context, actorOf(operator), { ...(await world.seen(id, operator)), transaction });
const giveBack = async (id: bigint, operator = world.finance) =>
  returnWithdrawal(world.context, actorOf(operator), await world.seen(id, operator));
const complete = async (id: bigint, operator = world.second) =>
  completeWithdrawal(world.context, actorOf(operator), await world.seen(id, operator));
const fail = async (id: bigint, operator = world.second) =>
  failWithdrawal(world.context, actorOf(operator), {
    ...(await world.seen(id, operator)),
    reason: 'It came back.',
  });
const houses = async () => [
  await getHouseBalance(world.context.db, 'gateway'),
  await getHouseBalance(world.context.db, 'withdrawal_fees'),
];
const sent = async (dollars: number): Promise<WithdrawalRow> => {
  const { id } = await world.addApproved(dollars);
  await take(id);
  return send(id);
};

describe('paying by hand', () => {
  test('claimed, sent and arrived: the net amount leaves, the fee is retained, the member is notified', async () => {
    const { id, member_id } = await world.addApproved(1000);
    const [gateway, fees] = (await houses()) as [bigint, bigint];
    expect(await take(id)).toMatchObject({
      state: 'approved',
      payout_way: 'hand',
      handler_id: world.finance.operatorId,
    });
    expect(await send(id)).toMatchObject({ state: 'sent', transaction });
    expect(await world.held(member_id)).toBe(usd(1000));
    expect(await complete(id)).toMatchObject({ state: 'completed', transaction });
    expect(await world.held(member_id)).toBe(0n);
    expect(await houses()).toEqual([gateway + usd(990), fees + usd(10)]);
    const told = await world.messages(member_id);
    expect(told.slice(-2).map((message) => message.slice(0, 15))).toEqual(['Your withdrawal', 'Your withdrawal']);
    expect(await world.findings()).toEqual([]);
  });

  test('claimed by hand or by a worker, or not approved, after the job listed it: the gateway does not pay it', async () => {
    const claim = (id: bigint) => claimPayout(world.context, world.gateway, id);
    const [byHand, byWorker] = [await world.addApproved(100), await world.addApproved(100)];
    await take(byHand.id);
    expect(await claim(byWorker.id)).toMatchObject({ payout_way: 'gateway' });
    const { id } = await world.addRequested(100);
    for (const listed of [byHand.id, byWorker.id, id]) expect(await claim(listed)).toBeUndefined();
  });

  test('what the gateway holds is not confirmed for a withdrawal that does not record it, or is uncertain', async () => {
    const { id } = await world.addApproved(100);
    await take(id);
    const confirmed: string[] = [];
    const gateway: Gateway = { ...world.gateway, confirmPayout: async (payoutId) => void confirmed.push(payoutId) };
    expect(await confirmHeld(world.context, gateway, id, 'held-1')).toBe(false);
    const claimed = orRefuse(await claimPayout(world.context, gateway, (await world.addApproved(100)).id), 'not_found');
    const payout = {
      id: 'held-2',
      state: 'uncertain',
      transaction: null,
      units: null,
      networkFeeMicros: null,
    } as const;
    await recordPayout(world.context, claimed, payout);
    expect(await confirmHeld(world.context, gateway, claimed.id, payout.id)).toBe(false);
    expect(confirmed).toEqual([]);
  });

  test('one that was returned: the whole amount and the daily limit are available again, without a fee', async () => {
    const { id, member_id } = await sent(1000);
    const before = await houses();
    const primary = await world.primary(member_id);
    expect(await fail(id)).toMatchObject({ state: 'failed', note: 'It came back.' });
    expect(await world.primary(member_id)).toBe(primary + usd(1000));
    expect(await houses()).toEqual(before);
    expect(await world.findings()).toEqual([]);
  });

  test('claimed and released, it is paid by the next claimant', async () => {
    const { id } = await world.addApproved(100);
    await take(id);
    expect(await giveBack(id)).toMatchObject({ state: 'approved', payout_way: null, handler_id: null });
    expect(await take(id, world.second)).toMatchObject({ handler_id: world.second.operatorId });
    const audit = await sql<{ action: string }>`
      select action from audit.entry where subject = ${`withdrawal:${id}`} order by id`.execute(world.context.db);
    expect(audit.rows.map((row) => row.action).slice(-3)).toEqual([
      'withdrawal.take',
      'withdrawal.return',
      'withdrawal.take',
    ]);
  });

  test('while claimed, no other operator claims, releases, sends or rejects it, and the job skips it', async () => {
    const { id } = await world.addApproved(100);
    await take(id);
    await expect(take(id, world.second)).rejects.toMatchObject({ code: 'withdrawal_state' });
    await expect(giveBack(id, world.second)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(send(id, world.second)).rejects.toMatchObject({ code: 'not_allowed' });
    const reason = { ...(await world.seen(id)), reason: 'x' };
    await expect(rejectWithdrawal(world.context, actorOf(world.finance), reason)).rejects.toMatchObject({
      code: 'withdrawal_state',
    });
    const gateway = watched(world.gateway);
    await payWithdrawals(world.context, [gateway]);
    const { reference, ...row } = await world.withdrawal(id);
    expect(gateway.asked.filter((call) => call.includes(reference))).toEqual([]);
    expect(row).toMatchObject({ state: 'approved', payout_way: 'hand', handler_id: world.finance.operatorId });
  });
});

test.each([
  [
    'disabled',
    async (id: bigint) => disableOperator(world.context, await decision(), { operatorId: id, why: 'left us' }),
  ],
  [
    'lowered to support',
    async (id: bigint) =>
      changeOperatorRole(world.context, await decision(), { operatorId: id, role: 'support', why: 'other work' }),
  ],
])('what somebody has who was %s since, a colleague returns or says to be sent', async (_, distrust) => {
  const leaver = await makeOperator(world.context, 'finance');
  const [unpaid, paid] = [await world.addApproved(100), await world.addApproved(100)];
  for (const { id } of [unpaid, paid]) await take(id, leaver);
  const abandoned = async (id: bigint) =>
    (await getOperatorWithdrawal(world.context, [world.gateway], id)).payout?.abandoned;
  expect(await abandoned(paid.id)).toBe(false);
  await distrust(leaver.operatorId);
  expect(await abandoned(paid.id)).toBe(true);
  expect(await giveBack(unpaid.id, world.second)).toMatchObject({ state: 'approved', payout_way: null });
  expect(await send(paid.id, world.second)).toMatchObject({ state: 'sent', transaction });
  expect(await complete(paid.id)).toMatchObject({ state: 'completed' });
  expect(await world.findings()).toEqual([]);
});

describe('each step is refused', () => {
  test('where the withdrawal is not there for it', async () => {
    const { id: requested } = await world.addRequested(100);
    const over = await sent(100);
    await complete(over.id);
    // Sent by the gateway, which alone knows what becomes of it.
    const claimed = orRefuse(
      await claimPayout(world.context, world.gateway, (await world.addApproved(100)).id),
      'not_found',
    );
    const payout = { id: 'sent-1', state: 'waiting', transaction, units: null, networkFeeMicros: null } as const;
    await recordPayout(world.context, claimed, payout);
    for (const id of [requested, over.id, claimed.id])
      for (const step of [take, send, giveBack, complete, fail])
        await expect(step(id)).rejects.toMatchObject({ code: 'withdrawal_state' });
    expect(await world.findings()).toEqual([]);
  });

  test('when the withdrawal has changed since it was read', async () => {
    const { id } = await world.addApproved(100);
    const stale = { ...(await world.seen(id)), version: 1 };
    const by = actorOf(world.finance);
    const changed = { code: 'withdrawal_changed' };
    await expect(takeWithdrawal(world.context, by, stale)).rejects.toMatchObject(changed);
    await expect(returnWithdrawal(world.context, by, stale)).rejects.toMatchObject(changed);
    await expect(sendWithdrawal(world.context, by, { ...stale, transaction })).rejects.toMatchObject(changed);
    await expect(completeWithdrawal(world.context, by, stale)).rejects.toMatchObject(changed);
    await expect(failWithdrawal(world.context, by, { ...stale, reason: 'x' })).rejects.toMatchObject(changed);
  });

  test('with a wrong second factor', async () => {
    const { id } = await world.addApproved(100);
    const by = actorOf(world.finance);
    const wrong = async () => {
      const seen = await world.seen(id);
      return { ...seen, otp: wrongCode(seen.otp) };
    };
    const refused = { code: 'wrong_second_factor' };
    await expect(takeWithdrawal(world.context, by, await wrong())).rejects.toMatchObject(refused);
    await take(id);
    await send(id);
    await expect(completeWithdrawal(world.context, by, await wrong())).rejects.toMatchObject(refused);
    await expect(failWithdrawal(world.context, by, { ...(await wrong()), reason: 'x' })).rejects.toMatchObject(refused);
  });

  test('at every step to the member themselves: nobody gets back what was paid to them', async () => {
    const own = async (memberId: bigint) =>
      sql`update identity.member set email = upper(${world.second.email}) where id = ${memberId}`.execute(
        world.context.db,
      );
    const refused = { code: 'own_withdrawal' };
    const paid = await sent(100);
    await own(paid.member_id);
    await expect(fail(paid.id)).rejects.toMatchObject(refused);
    await expect(complete(paid.id)).rejects.toMatchObject(refused);
    expect(await world.withdrawal(paid.id)).toMatchObject({ state: 'sent' });
    const requested = await world.addRequested(100);
    await own(requested.member_id);
    const rejected = { ...(await world.seen(requested.id, world.second)), reason: 'Mine.' };
    await expect(rejectWithdrawal(world.context, actorOf(world.second), rejected)).rejects.toMatchObject(refused);
    expect(await complete(paid.id, world.finance)).toMatchObject({ state: 'completed' });
  });

  test('to take it: of their own, and while payouts are stopped; to say it was paid: never by the switch', async () => {
    const { id, member_id } = await world.addApproved(100);
    await sql`update identity.member set email = ${world.second.email} where id = ${member_id}`.execute(
      world.context.db,
    );
    await expect(take(id, world.second)).rejects.toMatchObject({ code: 'own_withdrawal' });
    const taken = await world.addApproved(100);
    await take(taken.id);
    await setPayoutSwitch(world.context, actorOf(world.finance), { stopped: true, why: 'audit' });
    await expect(take(id)).rejects.toMatchObject({ code: 'payouts_stopped' });
    expect(await send(taken.id)).toMatchObject({ state: 'sent' });
    const goOn = { stopped: false, why: 'done', otp: await world.finance.code() };
    await setPayoutSwitch(world.context, actorOf(world.finance), goOn);
    expect(await take(id)).toMatchObject({ payout_way: 'hand' });
  });
});
