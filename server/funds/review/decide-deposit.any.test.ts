import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listStatement, verifyLedger } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { actorOf, makeOperator, wrongCode } from '#test/worlds/operators.ts';
import { checkFunds } from '../check-funds.ts';
import { followDeposit } from '../deposits/follow-deposit.ts';
import { showDeposit } from '../deposits/show-deposit.ts';
import type { DepositRow } from '../deposits/sql.ts';
import { openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway, Invoice } from '../gateways/gateway.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { type DepositReview, decideDeposit } from './decide-deposit.ts';
import { getOperatorDeposit } from './list-deposits.ts';

const world = closeAfterAll(await openFundsWorld());
const finance = await makeOperator(world.context, 'finance');

const actor = () => actorOf(finance);
const reason = 'It came late, and it is yours.';
const decide = async (
  id: bigint,
  decision: DepositReview['decision'],
  more: Partial<DepositReview> = {},
  gateway = world.gateway,
) => {
  const { version } = await world.find(id);
  const otp = decision === 'reject' ? {} : { otp: await finance.code() };
  return decideDeposit(world.context, actor(), id, { decision, version, reason, ...otp, ...more }, [gateway]);
};
/** Expired, and paid in full afterwards. */
const late = async (amount: number): Promise<DepositRow> => {
  const { id } = await world.addDeposit(amount);
  await payInSandbox(world.context, { depositId: id }, 'expire');
  await payInSandbox(world.context, { depositId: id }, 'again');
  return world.find(id);
};
/** Marked as settled at the gateway without a payment. */
const empty = async (): Promise<DepositRow> => {
  const { id } = await world.addDeposit(100);
  await sql`update funds.deposit set state = 'review', version = version + 1 where id = ${id}`.execute(
    world.context.db,
  );
  return world.find(id);
};
const findings = async () => [...(await verifyLedger(world.context.db)), ...(await checkFunds(world.context.db))];

describe('a deposit in review', () => {
  test('credited: the held amount goes into the primary wallet, once, and is notified, audited and in the statement', async () => {
    const { id, member_id, reference, version } = await late(100);
    const unallocated = await world.unallocated();
    expect(await decide(id, 'credit')).toMatchObject({ state: 'credited', credited_micros: usd(100), note: reason });
    expect(await world.primary(member_id)).toBe(usd(100));
    expect(await world.unallocated()).toBe(unallocated - usd(100));
    expect((await world.messages(member_id)).at(-1)).toBe(
      `$100.00 of deposit ${reference} was credited to your Primary Wallet. ${reason}`,
    );
    expect(await listStatement(world.context.db, { memberId: member_id, limit: 5 })).toMatchObject([
      { reason: 'deposit_allocated', reference, balanceAfterMicros: usd(100) },
    ]);
    const audit = await sql<{ actor_id: bigint; before: object; after: object }>`
      select actor_id, before, after from audit.entry
      where subject = ${`deposit:${id}`} and action = 'deposit.credit'`.execute(world.context.db);
    expect(audit.rows).toMatchObject([
      {
        actor_id: finance.operatorId,
        before: { state: 'review', credited_micros: null },
        after: { state: 'credited', credited_micros: '100000000', reason },
      },
    ]);
    expect(await codeOf(decide(id, 'credit', { version }))).toBe('deposit_changed');
    expect(await codeOf(decide(id, 'credit'))).toBe('deposit_not_in_review');
    expect(await findings()).toEqual([]);
  });

  test('of which a part was credited before: the rest is decided under keys of its own, again and again', async () => {
    const { id, member_id } = await world.addDeposit(100);
    await payInSandbox(world.context, { depositId: id }, 'full');
    for (const [decision, credited, refunded] of [
      ['credit', 200, 0],
      ['refund', 200, 100],
      ['credit', 300, 100],
    ] as const) {
      await payInSandbox(world.context, { depositId: id }, 'again');
      expect(showDeposit(await world.find(id))).toMatchObject({ state: 'review', held: 100 });
      expect(await decide(id, decision, decision === 'refund' ? { transaction: 'abcdef' } : {})).toMatchObject({
        state: 'credited',
        credited_micros: usd(credited),
        refunded_micros: usd(refunded),
      });
    }
    expect(showDeposit(await world.find(id))).toMatchObject({ credited: 300, held: 0, refunded: 100 });
    expect(await followDeposit(world.context, world.gateway, id)).toBe(false);
    expect(await world.primary(member_id)).toBe(usd(300));
    expect(await findings()).toEqual([]);
  });

  test('reversed by the gateway, which is asked once more: not credited, and a refund leaves nothing held of it', async () => {
    const { id, member_id, invoice_id } = await late(100);
    const unallocated = await world.unallocated();
    const findInvoice = async () => {
      const invoice = (await world.gateway.findInvoice(invoice_id as string)) as Invoice;
      return { ...invoice, status: 'Invalid' as const, paidMicros: 0n, settledMicros: 0n };
    };
    const taken = { ...world.gateway, findInvoice };
    const unavailable = { ...world.gateway, findInvoice: () => Promise.reject(new Refused('gateway_unavailable')) };
    expect(await codeOf(decide(id, 'credit', {}, unavailable))).toBe('gateway_unavailable');
    for (let tries = 0; tries < 2; tries += 1)
      expect(await codeOf(decide(id, 'credit', {}, taken))).toBe('deposit_reversed');
    expect(await decide(id, 'refund', { transaction: 'abcdef' })).toMatchObject({ state: 'refunded' });
    expect([await world.primary(member_id), await world.unallocated()]).toEqual([0n, unallocated - usd(100)]);
    expect(await findings()).toEqual([]);
  });

  test('confirmed at an invoice that the gateway reports as invalid: once credited it is not treated as reversed', async () => {
    const { id, member_id, invoice_id } = await world.addDeposit(100);
    const report = (settled: number): Gateway => ({
      ...world.gateway,
      findInvoice: async () => {
        const invoice = (await world.gateway.findInvoice(invoice_id as string)) as Invoice;
        return { ...invoice, status: 'Invalid', paidMicros: usd(100), settledMicros: usd(settled) };
      },
    });
    await followDeposit(world.context, report(100), id);
    expect(await world.find(id)).toMatchObject({ state: 'review', booked_micros: usd(100) });
    await decide(id, 'credit', {}, report(100));
    expect(await followDeposit(world.context, report(100), id)).toBe(false);
    expect(await world.primary(member_id)).toBe(usd(100));
    // Less confirmed than booked is always a reversal, even after an operator's decision.
    expect(await followDeposit(world.context, report(0), id)).toBe(true);
    expect((await world.find(id)).state).toBe('review');
  });

  test('of which nothing is held is closed, and only then', async () => {
    const held = await late(100);
    expect(await codeOf(decide(held.id, 'reject'))).toBe('deposit_holds_money');
    const { id, member_id } = await empty();
    expect(await codeOf(decide(id, 'credit'))).toBe('deposit_holds_nothing');
    expect(await codeOf(decide(id, 'refund', { transaction: 'abcdef' }))).toBe('deposit_holds_nothing');
    expect(await decide(id, 'reject')).toMatchObject({ state: 'rejected', note: reason });
    expect((await world.messages(member_id)).at(-1)).toContain('was closed');
    expect(await findings()).toEqual([]);
  });
});

describe('a decision is refused', () => {
  test('for a deposit that does not exist or is not in review', async () => {
    const review = { decision: 'credit', version: 1, reason, otp: await finance.code() } as const;
    expect(await codeOf(decideDeposit(world.context, actor(), 999_999n, review))).toBe('deposit_not_found');
    const { id } = await world.addDeposit(100);
    for (const decision of ['credit', 'refund', 'reject'] as const) {
      expect(await codeOf(decide(id, decision))).toBe('deposit_not_in_review');
    }
  });

  test('with a wrong second factor, and moves nothing', async () => {
    const { id, member_id } = await late(100);
    const otp = wrongCode(await finance.code());
    expect(await codeOf(decide(id, 'credit', { otp }))).toBe('wrong_second_factor');
    expect(await world.find(id)).toMatchObject({ state: 'review', credited_micros: null });
    expect(await world.primary(member_id)).toBe(0n);
  });

  test('when more arrived since it was looked at', async () => {
    const { id, version } = await late(100);
    await payInSandbox(world.context, { depositId: id }, 'again');
    expect(await codeOf(decide(id, 'credit', { version }))).toBe('deposit_changed');
    expect(await decide(id, 'credit')).toMatchObject({ credited_micros: usd(200) });
    expect(await findings()).toEqual([]);
  });
});

test('nothing is credited to a closed account, which is refused; the held amount is refunded', async () => {
  const { id, member_id } = await late(100);
  await sql`
    update identity.member set closed_at = now(), password_hash = null, email = null, mobile_number = null
    where id = ${member_id}`.execute(world.context.db);
  expect(await getOperatorDeposit(world.context, id)).toMatchObject({ member: { closed: true } });
  const otp = await finance.code();
  expect(await codeOf(decide(id, 'credit', { otp }))).toBe('account_closed');
  expect(await decide(id, 'refund', { otp, transaction: 'abcdef' })).toMatchObject({ state: 'refunded' });
});

describe('nothing is decided', () => {
  const own = async () => {
    const deposit = await late(100);
    const email = finance.email.toUpperCase();
    await sql`update identity.member set email = ${email} where id = ${deposit.member_id}`.execute(world.context.db);
    return deposit;
  };

  test.each(['credit', 'refund'] as const)(
    'by an operator with the email address of its member: %s',
    async (decision) => {
      const { id, member_id } = await own();
      expect(await codeOf(decide(id, decision, { transaction: 'abcdef123456' }))).toBe('own_deposit');
      expect(await world.find(id)).toMatchObject({ state: 'review', credited_micros: null, refunded_micros: 0n });
      expect(await world.primary(member_id)).toBe(0n);
    },
  );

  test('by an operator disabled after their call was admitted', async () => {
    const leaver = await makeOperator(world.context, 'finance');
    const { id, version } = await late(100);
    await sql`update identity.operator set disabled_at = now() where id = ${leaver.operatorId}`.execute(
      world.context.db,
    );
    const actor = actorOf(leaver);
    expect(await codeOf(decideDeposit(world.context, actor, id, { decision: 'credit', version, reason }))).toBe(
      'not_allowed',
    );
    expect((await world.find(id)).state).toBe('review');
  });
});
