import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getMember } from '#server/accounts/index.ts';
import { listStatement } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import type { InvoiceStatus } from '../core/follow-invoice.ts';
import { marketAt, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway, Invoice } from '../gateways/gateway.ts';
import { followDeposit } from './follow-deposit.ts';
import type { DepositRow } from './sql.ts';

const world = closeAfterAll(await openFundsWorld());

/** A gateway that returns the given invoices in turn, and then the last one forever. */
function reporting(deposit: DepositRow, ...pictures: [InvoiceStatus, number, number?][]): Gateway {
  let next = 0;
  const invoiceOf = ([status, paid, settled = paid]: [InvoiceStatus, number, number?]): Invoice => ({
    id: deposit.invoice_id as string,
    status,
    amountMicros: deposit.amount_micros,
    paidMicros: usd(paid),
    settledMicros: usd(settled),
    paymentId: paid > 0 ? 'payment-1' : null,
    expiresAt: deposit.expires_at,
    orderId: deposit.id.toString(),
    payWays: [],
  });
  return {
    ...world.gateway,
    findInvoice: async () => {
      const picture = pictures[Math.min(next, pictures.length - 1)] as [InvoiceStatus, number, number?];
      next += 1;
      return invoiceOf(picture);
    },
  };
}

const follow = (deposit: DepositRow, ...pictures: [InvoiceStatus, number, number?][]) =>
  followDeposit(world.context, reporting(deposit, ...pictures), deposit.id);

describe('crediting', () => {
  test('books, notifies, emails, audits and shows in the statement, all once', async () => {
    const deposit = await world.addDeposit(1000);
    const memberId = deposit.member_id;
    expect(await follow(deposit, ['Settled', 1000])).toBe(true);
    expect(await follow(deposit, ['Settled', 1000])).toBe(false);
    expect(await world.find(deposit.id)).toMatchObject({
      state: 'credited',
      credited_micros: usd(1000),
      payment_id: 'payment-1',
    });
    expect(await world.primary(memberId)).toBe(usd(1000));
    const lines = await listStatement(world.context.db, { memberId, limit: 10 });
    expect(lines).toMatchObject([
      { reason: 'deposit', reference: deposit.reference, marketAt, balanceAfterMicros: usd(1000) },
    ]);
    expect(await world.messages(memberId)).toEqual(['Your deposit of $1,000.00 was credited to your Primary Wallet.']);
    const mails = await sql<{ to_address: string }>`
      select to_address from notify.mail where subject = ${`Deposit credited: ${deposit.reference}`}`.execute(
      world.context.db,
    );
    expect(mails.rows).toEqual([{ to_address: 'anika@example.com' }]);
    const audit = await sql<{ action: string; after: unknown }>`
      select action, after from audit.entry where subject = ${`deposit:${deposit.id}`}`.execute(world.context.db);
    expect(audit.rows).toEqual([
      {
        action: 'deposit.credited',
        after: { state: 'credited', credited_micros: '1000000000', held_micros: '0', invoice: 'Settled' },
      },
    ]);
  });

  test.each([100, 0])(
    'reversed by the gateway with $%d seen: the member is frozen once, the money stays until an operator corrects it',
    async (seen) => {
      const deposit = await world.addDeposit(100);
      await follow(deposit, ['Settled', 100]);
      expect(await follow(deposit, ['Invalid', seen, 0])).toBe(true);
      expect(await follow(deposit, ['Invalid', seen, 0])).toBe(false);
      expect((await world.find(deposit.id)).state).toBe('review');
      expect(await world.primary(deposit.member_id)).toBe(usd(100));
      expect((await getMember(world.context.db, deposit.member_id)).frozenAt).not.toBeNull();
      const told = await world.messages(deposit.member_id);
      expect(told.filter((message) => message.includes('reversed the payment'))).toHaveLength(1);
    },
  );
});

describe('pictures of the invoice', () => {
  test('fetched before a concurrent change of the deposit are discarded and fetched again', async () => {
    const deposit = await world.addDeposit(100);
    const now = reporting(deposit, ['Settled', 100]);
    const old = reporting(deposit, ['New', 40]);
    let looks = 0;
    const racing: Gateway = {
      ...now,
      findInvoice: async (invoiceId) => {
        looks += 1;
        if (looks > 1) return now.findInvoice(invoiceId);
        // Another delivery credits the deposit during this call.
        await followDeposit(world.context, now, deposit.id);
        return old.findInvoice(invoiceId);
      },
    };
    expect(await followDeposit(world.context, racing, deposit.id)).toBe(false);
    expect(looks).toBe(2);
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', booked_micros: usd(100) });
  });

  test('an invoice the gateway does not know changes nothing', async () => {
    const deposit = await world.addDeposit(100);
    const forgetful: Gateway = { ...world.gateway, findInvoice: async () => undefined };
    expect(await followDeposit(world.context, forgetful, deposit.id)).toBeUndefined();
    expect((await world.find(deposit.id)).state).toBe('created');
  });
});
