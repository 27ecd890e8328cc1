import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { registerMember } from '#server/accounts/index.ts';
import { createDeposit, payInSandbox } from '#server/funds/index.ts';
import { getTicketThread } from '#server/tickets/index.ts';
import { bootWithoutMarket } from '#test/boot.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { makeDemoTickets } from './make-tickets.ts';
import { beforeToday, saveDemoAddress, withdrawInDemo } from './move-money.ts';
import { demoPassword, demoPeople } from './people.ts';

/** The demo world as it is made, without its sessions. */
const world = closeAfterAll(await bootWithoutMarket('2026-03-04T14:05:00Z'));
const { context } = world;
const { memberId } = await registerMember(beforeToday(context), {
  referralCode: context.config.companyCode,
  mobileNumber: '+919812345678',
  name: demoPeople[0]?.name ?? '',
  email: demoPeople[0]?.email ?? '',
  password: demoPassword,
});
await saveDemoAddress(context, memberId);
const { id } = await createDeposit(context, memberId, { amount: 5000, risk_accepted: true }, undefined);
await payInSandbox(context, { depositId: BigInt(id) }, 'full');
await withdrawInDemo(context, memberId);
await makeDemoTickets(context, memberId);

test('one ticket is closed and read, with a file; one was answered and waits to be read', async () => {
  const { rows } = await sql<{ id: bigint }>`
    select id from support.ticket where member_id = ${memberId} order by id`.execute(world.context.db);
  const [settled, waiting] = await Promise.all(rows.map(({ id }) => getTicketThread(world.context, memberId, id)));
  expect(rows).toHaveLength(2);
  expect(settled).toMatchObject({
    ticket: { state: 'closed', unread: 0 },
    messages: [
      { author: 'member', attachments: [{ name: 'wallet statement.pdf', type: 'application/pdf' }] },
      { author: 'support', name: 'Devika', seen: true },
    ],
  });
  const { rows: rejected } = await sql<{ reference: string }>`
    select reference from funds.withdrawal where state = 'rejected'`.execute(world.context.db);
  expect(waiting).toMatchObject({
    ticket: {
      state: 'answered',
      unread: 2,
      about: { kind: 'movement', label: `Withdrawal returned, ${rejected[0]?.reference}` },
    },
  });
});

test('all of it was written before now, each message after the one before', async () => {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from support.message order by id`.execute(world.context.db);
  const times = rows.map(({ at }) => at.getTime());
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(world.context.now().getTime());
});
