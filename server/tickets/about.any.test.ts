import { expect, test } from 'vitest';
import type { TicketAbout } from '#contract/tickets/tickets.ts';
import { inTransaction } from '#server/db/tx.ts';
import { admitWithdrawal, createDeposit, holdWithdrawal, saveAddress } from '#server/funds/index.ts';
import { listStatement } from '#server/ledger/index.ts';
import { placeTrade } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { createTicket } from './create-ticket.ts';
import { getTicketThread } from './read-tickets.ts';

const { context, clock } = closeAfterAll(await bootRecorded());
const { memberId: mira } = await signUp(context);
const { memberId: other } = await signUp(context, { email: 'other@example.com' });
await inTransaction(context.db, (tx) =>
  saveAddress(tx, context, { memberId: mira, network: 'TRC20', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }),
);
clock.advance(25 * 3600);
await giveFunds(context, mira, 1_000_000_000n);
await giveFunds(context, other, 1_000_000_000n);
const trade = await placeTrade(context, mira, { tradeId: 'btc', amount: 50, wallet_type: 'primary' });
const deposit = await createDeposit(context, mira, { amount: 100 }, undefined);
const withdrawal = await inTransaction(context.db, async (tx) => {
  const order = { memberId: mira, amountMicros: 20_000_000n, wallet: 'primary' } as const;
  const row = await admitWithdrawal(tx, context, order);
  await holdWithdrawal(tx, context, row);
  return row;
});
const line = (await listStatement(context.db, { memberId: mira, reasons: ['deposit'], limit: 1 }))[0];
const own = {
  movement: { id: String(line?.position), label: 'Deposit, test' },
  trade: { id: trade.id, label: `Trade ${trade.id}` },
  deposit: { id: deposit.id, label: deposit.reference },
  withdrawal: { id: withdrawal.id.toString(), label: withdrawal.reference },
};

const ask = (memberId: bigint, about: TicketAbout) =>
  createTicket(context, memberId, { subject: 'What is this?', category: 'other', message: 'Please explain.', about });

test.each(['movement', 'trade', 'deposit', 'withdrawal'] as const)(
  'a ticket is about the member’s own %s, named as people quote it; another’s is not found',
  async (kind) => {
    const { id, label } = own[kind];
    const ticket = await ask(mira, { kind, id });
    expect(ticket.about).toEqual({ kind, id, label });
    expect((await getTicketThread(context, mira, BigInt(ticket.id))).ticket.about).toEqual({ kind, id, label });

    const refusal = { code: 'about_not_found', status: 404, field: 'about' };
    await expect(ask(other, { kind, id })).rejects.toMatchObject(refusal);
    await expect(ask(mira, { kind, id: '999999999999999999' })).rejects.toMatchObject(refusal);
  },
);

test('of two lines of one transfer only the member’s own is found', async () => {
  const line = BigInt(own.movement.id);
  await expect(ask(mira, { kind: 'movement', id: String(line ^ 1n) })).rejects.toMatchObject({
    code: 'about_not_found',
  });
});
