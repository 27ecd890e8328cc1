import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getMember } from '#server/accounts/index.ts';
import { listStatement } from '#server/ledger/index.ts';
import type { InvoiceStatus } from '../core/follow-invoice.ts';
import { type FundsWorld, marketAt, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway, Invoice } from '../gateways/gateway.ts';
import { listMovements } from '../statement/list-movements.ts';
import { followDeposit } from './follow-deposit.ts';
import type { DepositRow } from './sql.ts';

let world: FundsWorld;

beforeAll(async () => {
  world = await openFundsWorld();
});
afterAll(() => world.database.close());

/** A gateway that reports whatever the test says, one picture after the other, the last for ever. */
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
  test('books, notifies, mails, audits and shows in the statement, all once', async () => {
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

  test('what was paid again goes to unallocated, each further payment once', async () => {
    const deposit = await world.addDeposit(100);
    const before = await world.unallocated();
    await follow(deposit, ['Settled', 100]);
    await follow(deposit, ['Settled', 130]);
    await follow(deposit, ['Settled', 130]);
    await follow(deposit, ['Settled', 150]);
    expect(await world.find(deposit.id)).toMatchObject({
      state: 'review',
      credited_micros: usd(100),
      booked_micros: usd(150),
    });
    expect(await world.primary(deposit.member_id)).toBe(usd(100));
    expect((await world.unallocated()) - before).toBe(usd(50));
  });

  test('taken back by the gateway: the member is frozen, the money stays until an operator corrects it', async () => {
    const deposit = await world.addDeposit(100);
    await follow(deposit, ['Settled', 100]);
    await follow(deposit, ['Invalid', 100, 0]);
    await follow(deposit, ['Invalid', 100, 0]);
    expect((await world.find(deposit.id)).state).toBe('review');
    expect(await world.primary(deposit.member_id)).toBe(usd(100));
    expect((await getMember(world.context.db, deposit.member_id)).frozenAt).not.toBeNull();
    const told = await world.messages(deposit.member_id);
    expect(told.filter((message) => message.includes('took back the payment'))).toHaveLength(1);
  });
});

describe('pictures of the invoice', () => {
  test('fetched before somebody else changed the deposit are thrown away and fetched again', async () => {
    const deposit = await world.addDeposit(100);
    const now = reporting(deposit, ['Settled', 100]);
    const old = reporting(deposit, ['New', 40]);
    let looks = 0;
    const racing: Gateway = {
      ...now,
      findInvoice: async (invoiceId) => {
        looks += 1;
        if (looks > 1) return now.findInvoice(invoiceId);
        // While this look is on its way back, another delivery credits the deposit.
        await followDeposit(world.context, now, deposit.id);
        return old.findInvoice(invoiceId);
      },
    };
    expect(await followDeposit(world.context, racing, deposit.id)).toBe(false);
    expect(looks).toBe(2);
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', booked_micros: usd(100) });
  });

  test('a payment replaced leads back to created, and the next one credits', async () => {
    const deposit = await world.addDeposit(100);
    await follow(deposit, ['Processing', 100, 0]);
    expect((await world.find(deposit.id)).state).toBe('pending');
    await follow(deposit, ['New', 0]);
    expect((await world.find(deposit.id)).state).toBe('created');
    await follow(deposit, ['Settled', 100]);
    expect((await world.find(deposit.id)).state).toBe('credited');
  });

  test('an invoice the gateway does not know changes nothing', async () => {
    const deposit = await world.addDeposit(100);
    const forgetful: Gateway = { ...world.gateway, findInvoice: async () => undefined };
    expect(await followDeposit(world.context, forgetful, deposit.id)).toBe(false);
    expect((await world.find(deposit.id)).state).toBe('created');
  });
});

describe('the statement', () => {
  test('filters by kind, wallet and time, and pages', async () => {
    const memberId = await world.addMember();
    for (const amount of [10, 20, 30]) await follow(await world.addDeposit(amount, memberId), ['Settled', amount]);
    const list = (query: Partial<Parameters<typeof listMovements>[2]>) =>
      listMovements(world.context, memberId, { limit: 25, ...query });
    const first = await list({ limit: 2 });
    expect(first.items).toMatchObject([
      { kind: 'deposit', wallet: 'primary', amount: 30, balance_after: 60, note: null },
      { kind: 'deposit', wallet: 'primary', amount: 20, balance_after: 30 },
    ]);
    const second = await list({ limit: 2, cursor: first.next_cursor as string });
    expect(second).toMatchObject({ items: [{ amount: 10, balance_after: 10 }], next_cursor: null });
    expect((await list({ kind: 'deposit', wallet: 'primary' })).items).toHaveLength(3);
    expect((await list({ kind: 'trade_place' })).items).toEqual([]);
    expect((await list({ wallet: 'profit' })).items).toEqual([]);
    const made = first.items[0]?.created_at as string;
    expect((await list({ from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00Z' })).items).toEqual([]);
    expect((await list({ from: made })).items.map((item) => item.amount)).toContain(30);
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'validation', field: 'cursor' });
  });
});
