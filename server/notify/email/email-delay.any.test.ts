import { beforeEach, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { testClock, testContext } from '#test/builders.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openTestDatabase } from '#test/database.ts';
import { freePort } from '#test/postgres-cluster.ts';
import { isMailDelayed, openMailTransport, queueMail, sendDueMails } from '../index.ts';
import { startMailServer } from './mail-server.test-setup.ts';

const database = closeAfterAll(await openTestDatabase());
beforeEach(() => database.runScript('delete from notify.mail'));

/** Mails are dated by the database, so the clock begins at its time. */
const clockOf = () => testClock(new Date().toISOString());
const queue = (address: string) =>
  inTransaction(database.db, (tx) =>
    queueMail(tx, { to: { name: 'Anna', address }, subject: 'Your code', text: 'The code.\n' }),
  );
const isDelayed = (context: Context) => isMailDelayed(database.db, context.now());
const send = async (context: Context) => {
  const transport = openMailTransport(context.config);
  const run = await sendDueMails(context, transport);
  transport?.close();
  return run;
};

test('a mail that was just written is not late, one that waited for more than a minute is', async () => {
  const clock = clockOf();
  const context = testContext(database, clock);
  expect(await isDelayed(context)).toBe(false);
  await queue('anna@mail.example');
  expect(await isDelayed(context)).toBe(false);
  clock.advance(90);
  expect(await isDelayed(context)).toBe(true);
  await send(context);
  expect(await isDelayed(context)).toBe(false);
});

test('mails are late from the first try that did not reach the server until they are out', async () => {
  const clock = clockOf();
  const port = await freePort();
  const context = testContext(database, clock, { SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue('anna@mail.example');
  expect(await send(context)).toMatchObject({ unreachable: 1 });
  expect(await isDelayed(context)).toBe(true);
  const server = await startMailServer(port);
  clock.advance(5);
  expect(await send(context)).toMatchObject({ sent: 1 });
  expect(await isDelayed(context)).toBe(false);
  await server.stop();
});

test('one mailbox that is put off, or does not exist, makes nobody else wait', async () => {
  const clock = clockOf();
  const server = await startMailServer();
  const context = testContext(database, clock, { SMTP_URL: server.url });
  await queue('bert@later.example');
  await queue('carl@reject.example');
  expect(await send(context)).toMatchObject({ postponed: 1, failed: 1 });
  clock.advance(3600);
  expect(await isDelayed(context)).toBe(false);
  await server.stop();
});
