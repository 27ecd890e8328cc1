import { expect, test } from 'vitest';
import { ticketRules } from '#contract/tickets/ticket-rules.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { makePng } from './attachment-files.test-setup.ts';
import { createTicket } from './create-ticket.ts';
import { replyAsOperator } from './queue/change-ticket.ts';
import { replyToTicket } from './reply-to-ticket.ts';
import { file, openSupportWorld } from './tickets-world.test-setup.ts';

const world = closeAfterAll(await openSupportWorld());

const HOUR = 3600;
const question = { subject: 'A question', category: 'other', message: 'Hello?' } as const;
const create = (memberId: bigint) => createTicket(world.context, memberId, question);
const files = (count: number) => Array.from({ length: count }, (_, n) => file(`${n}.png`, 'image/png', makePng()));
const reply = (memberId: bigint, ticketId: string, attachments = 0) =>
  replyToTicket(world.context, memberId, { ticketId, message: 'more', attachments: files(attachments) });

test('the 21st ticket within a day waits until the first is a day old', async () => {
  const { memberId } = await world.addMember();
  for (let count = 0; count < ticketRules.ticketsADay; count += 1) {
    await create(memberId);
    if (count === 0) world.clock.advance(HOUR);
  }
  const refusal = { code: 'too_many_tickets', status: 429, retryAfterSeconds: 23 * HOUR };
  await expect(create(memberId)).rejects.toMatchObject(refusal);
  world.clock.advance(23 * HOUR - 1);
  await expect(create(memberId)).rejects.toMatchObject({ ...refusal, retryAfterSeconds: 1 });
  world.clock.advance(1);
  expect((await create(memberId)).state).toBe('open');
  await expect(create(memberId)).rejects.toMatchObject({ ...refusal, retryAfterSeconds: HOUR });
});

test('the 101st message and the 31st file within a day wait, whichever ticket they are for', async () => {
  const { memberId } = await world.addMember();
  const { id } = await create(memberId);
  const support = actorOf(await makeOperator(world.context, 'support'));
  await replyAsOperator(world.context, support, { ticketId: BigInt(id), message: 'Which?', private: false });
  world.clock.advance(HOUR);
  for (let sent = 0; sent < ticketRules.attachmentsADay; sent += 3) await reply(memberId, id, 3);
  const refusal = { code: 'too_many_messages', status: 429, retryAfterSeconds: 23 * HOUR };
  // The first message has no file.
  await expect(reply(memberId, id, 1)).rejects.toMatchObject({ ...refusal, retryAfterSeconds: 24 * HOUR });

  const sent = 1 + ticketRules.attachmentsADay / 3;
  for (let count = sent; count < ticketRules.messagesADay; count += 1) await reply(memberId, id);
  await expect(reply(memberId, id)).rejects.toMatchObject(refusal);
  await expect(create(memberId)).rejects.toMatchObject(refusal);
  expect((await create((await world.addMember()).memberId)).state).toBe('open');

  world.clock.advance(24 * HOUR);
  expect((await reply(memberId, id, 3)).attachments).toHaveLength(3);
});
