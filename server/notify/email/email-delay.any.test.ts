import { expect, test } from 'vitest';
import { freePort } from '#test/postgres-cluster.ts';
import { isEmailDelayed } from '../index.ts';
import { startEmailServer } from './email-server.test-setup.ts';
import { openEmailWorld } from './email-world.test-setup.ts';

const world = await openEmailWorld();
const { queue } = world;

/** Emails are dated by the database, so the clock begins at its time. */
function begin(env?: Record<string, string>) {
  const { context, clock, send } = world.sender(env, new Date().toISOString());
  return { clock, send, isDelayed: () => isEmailDelayed(world.database.db, context.now()) };
}

test('an email that was just written is not late, one that waited for more than a minute is', async () => {
  const { clock, send, isDelayed } = begin({});
  expect(await isDelayed()).toBe(false);
  await queue('anna@mail.example');
  expect(await isDelayed()).toBe(false);
  clock.advance(90);
  expect(await isDelayed()).toBe(true);
  await send();
  expect(await isDelayed()).toBe(false);
});

test('emails are late from the first try that did not reach the server until they are out', async () => {
  const port = await freePort();
  const { clock, send, isDelayed } = begin({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  await queue('anna@mail.example');
  expect(await send()).toMatchObject({ unreachable: 1 });
  expect(await isDelayed()).toBe(true);
  const server = await startEmailServer(port);
  clock.advance(5);
  expect(await send()).toMatchObject({ sent: 1 });
  expect(await isDelayed()).toBe(false);
  world.closeTransports();
  await server.stop();
});

test('one mailbox that is put off, or does not exist, makes nobody else wait', async () => {
  const { clock, send, isDelayed } = begin();
  await queue('bert@later.example');
  await queue('carl@reject.example');
  expect(await send()).toMatchObject({ postponed: 1, failed: 1 });
  clock.advance(3600);
  expect(await isDelayed()).toBe(false);
});
