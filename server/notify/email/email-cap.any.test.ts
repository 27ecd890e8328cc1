import { expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMembers, setRecipient } from '../index.ts';
import { type EmailKind, maxPerDay } from '../queue-notices.ts';
import { openEmailWorld } from './email-world.test-setup.ts';

const world = await openEmailWorld();
const { database, server, sender } = world;

const queue = async (kind: EmailKind | undefined, count: number, address = 'anna@mail.test') => {
  for (let made = 0; made < count; made += 1) await world.queue(address, kind === undefined ? {} : { kind });
};
const received = (address: string) =>
  server.received.filter(({ recipients }) => recipients.some((to) => to.toLowerCase() === address)).length;
const states = () => listRows(database.db)<{ state: string; n: number; texts: number }>`
    select state, count(*)::int as n, count(*) filter (where text <> '')::int as texts from notify.mail
    group by state order by state`;

test.each(Object.entries(maxPerDay) as [EmailKind, number][])(
  'of kind %s one address gets at most %d emails a day, in any case of its letters, and more the next day',
  async (kind, most) => {
    const { send, clock } = sender();
    await queue(kind, most);
    await queue(kind, 3, 'ANNA@mail.test');
    await queue(kind, 1, 'bert@mail.test');
    // Exceeding the cap is no fault: nothing is retried, and none of the text is kept.
    expect(await send()).toMatchObject({ sent: most + 1, capped: 3, failed: 0, postponed: 0 });
    expect([received('anna@mail.test'), received('bert@mail.test')]).toEqual([most, 1]);
    expect(await states()).toEqual([
      { state: 'capped', n: 3, texts: 0 },
      { state: 'sent', n: most + 1, texts: 0 },
    ]);
    clock.advance(24 * 3600);
    await queue(kind, 1);
    expect(await send()).toMatchObject({ sent: 1, capped: 0 });
  },
);

test('emails that protect an account are never capped, and one kind does not use up another', async () => {
  const { send } = sender();
  await queue('reset', maxPerDay.reset + 5);
  await queue('news', maxPerDay.news + 5);
  expect(await send()).toMatchObject({ capped: 10 });
  await queue(undefined, 100);
  await queue('code', 1);
  expect(await send()).toMatchObject({ sent: 101, capped: 0 });
});

test('optional notifications have the cap, those of sign-ins and withdrawals have none', async () => {
  const { send } = sender();
  await inTransaction(database.db, (tx) => setRecipient(tx, { memberId: 1n, name: 'Anna', address: 'anna@mail.test' }));
  const tell = (kind: string) =>
    inTransaction(database.db, (tx) =>
      notifyMembers(
        tx,
        Array.from({ length: maxPerDay.news + 2 }, () => ({
          memberId: 1n,
          kind,
          message: 'It happened.',
          mail: { subject: 'It happened', text: 'It happened.\n' },
        })),
      ),
    );
  await tell('deposit_credited');
  expect(await send()).toMatchObject({ sent: maxPerDay.news, capped: 2 });
  await tell('withdrawal_requested');
  await tell('new_device');
  expect(await send()).toMatchObject({ sent: 2 * (maxPerDay.news + 2), capped: 0 });
});

test('an email that is retried counts once', async () => {
  const { send, clock } = sender();
  await queue('code', maxPerDay.code, 'anna@later.example');
  expect(await send()).toMatchObject({ postponed: maxPerDay.code, capped: 0 });
  clock.advance(3600);
  expect(await send()).toMatchObject({ capped: 0, sent: 0 });
});
