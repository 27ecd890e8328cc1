import { expect, test } from 'vitest';
import { freePort } from '#test/database/postgres-cluster.ts';
import { isEmailDelayed, sumEmails } from '../index.ts';
import { startEmailServer } from './email-server.test-setup.ts';
import { openEmailWorld } from './email-world.test-setup.ts';

const world = await openEmailWorld();
const { queue } = world;

/** The database dates emails, so the clock starts at its time. */
function begin(env?: Record<string, string>) {
  const { context, clock, send } = world.sender(env, new Date().toISOString());
  const oldest = async () => {
    const { waiting, oldestAt } = await sumEmails(context);
    return { waiting, oldestAt };
  };
  return { clock, send, oldest, isDelayed: () => isEmailDelayed(world.database.db, context.now()) };
}

test('a new email is not delayed, one that waits for more than a minute is', async () => {
  const { clock, send, isDelayed } = begin({});
  expect(await isDelayed()).toBe(false);
  await queue('anna@mail.example');
  expect(await isDelayed()).toBe(false);
  clock.advance(90);
  expect(await isDelayed()).toBe(true);
  await send();
  expect(await isDelayed()).toBe(false);
});

test('emails are delayed from the first failed connection to the server until they are sent', async () => {
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

test('one mailbox that is deferred, or does not exist, delays nobody else', async () => {
  const { clock, send, isDelayed } = begin();
  await queue('bert@later.example');
  await queue('carl@reject.example');
  expect(await send()).toMatchObject({ postponed: 1, failed: 1 });
  clock.advance(3600);
  expect(await isDelayed()).toBe(false);
});

test('a deferred mailbox is the oldest that waits, by which an alert is raised, until a later email is sent', async () => {
  const { send, oldest } = begin();
  await queue('bert@later.example');
  expect(await send()).toMatchObject({ postponed: 1 });
  expect(await oldest()).toEqual({ waiting: 1n, oldestAt: expect.any(Date) });
  await queue('anna@mail.example');
  expect(await send()).toMatchObject({ sent: 1 });
  expect(await oldest()).toEqual({ waiting: 1n, oldestAt: null });
  await queue('carl@later.example');
  await queue('dora@mail.example');
  expect(await oldest()).toEqual({ waiting: 3n, oldestAt: expect.any(Date) });
});

test('an email whose address no server takes fails, and delays nobody else', async () => {
  const { send, isDelayed } = begin();
  await queue('');
  await queue('carl<carl@mail.example');
  await queue('anna@mail.example');
  expect(await send()).toMatchObject({ failed: 2, sent: 1, unreachable: 0 });
  expect(await isDelayed()).toBe(false);
});
