import { expect, test } from 'vitest';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import { type Context, onReplica } from '#server/context.ts';
import { mountConsole } from '#server/operator/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { TEMPLATE } from '#test/database/postgres-setup.ts';
import { startStandby } from '#test/database/postgres-standby.ts';
import { startReadyCluster } from '#test/database/ready-clusters.ts';
import { recordHours } from '#test/kit/boot.ts';
import { testApp } from '#test/worlds/app.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import type { Db } from './connect.ts';
import { openReplica, type Replica } from './replica.ts';
import { execute, findValue } from './rows.ts';

const REST_MS = 100;

const primary = await startReadyCluster(['synchronous_commit=on']);
closeAfterAll({ close: primary.stop });
const standby = await startStandby(primary);
closeAfterAll({ close: standby.stop });
const market = closeAfterAll(recordHours());
const env = {
  ...market.env,
  DATABASE_URL: primary.url(TEMPLATE),
  DATABASE_READ_URL: standby.url(TEMPLATE),
  JOBS: 'off',
  LOG_LEVEL: 'silent',
};
const config = readConfig(env);
const booted = closeAfterAll(await boot(config));
closeAfterAll(booted.context.replica as Replica);
const replica = closeAfterAll(openReplica(config, booted.context, REST_MS) as Replica);

/** Statements started on the replica, and those answered. */
const counts = { begun: 0, answered: 0 };
const counting = replica.db.withPlugin({
  transformQuery: ({ node }) => {
    counts.begun += 1;
    return node;
  },
  transformResult: async ({ result }) => {
    counts.answered += 1;
    return result;
  },
});
const context: Context = { ...booted.context, replica: { ...replica, db: counting } };
const app = closeAfterAll(await testApp(context, mountConsole));
const { token } = await makeOperator(context, 'admin');
const { memberId } = await signUp(context, { email: 'first@example.com' });
await giveFunds(context, memberId, 5_000_000n);

/** Whether a read is answered by the replica, and the replies of the call. */
async function ask(url: string) {
  const before = { ...counts };
  const reply = await app.ask('GET', url, { token });
  const [begun, answered] = [counts.begun - before.begun, counts.answered - before.answered];
  expect(answered).toBe(begun);
  return { ...reply, isFromReplica: begun > 0 };
}

/** Members found by address, and where. */
const search = async (text: string) => {
  const { body, isFromReplica } = await ask(`operator/members?search=${text}`);
  return { found: body.data.items.length, isFromReplica };
};
test.each([
  'operator/overview',
  'operator/ledger/accounts',
  'operator/ledger/transfers',
  'operator/ledger/transfers?format=csv',
  'operator/ledger/transfers/1',
  'operator/ledger/seals',
  'operator/sessions',
  'operator/members',
  `operator/members/${memberId}/movements`,
  `operator/members/${memberId}/trades`,
  'operator/audit?format=csv',
])('GET %s is read on the standby', async (url) => {
  expect(await ask(url)).toMatchObject({ status: 200, isFromReplica: true });
});

test('whatever makes a decision, or operators decide on, is read on the primary', async () => {
  for (const url of ['operator/jobs', 'operator/announcements', 'operator/audit', `operator/members/${memberId}`])
    expect(await ask(url)).toMatchObject({ status: 200, isFromReplica: false });
});

test('a read sees what was written before it', async () => {
  for (let index = 0; index < 20; index += 1) {
    await signUp(context, { email: `seen.${index}@example.com` });
    expect(await search(`seen.${index}@example.com`)).toEqual({ found: 1, isFromReplica: true });
  }
});

test('while it lags more than a second the primary is read, and waited for once', async () => {
  await execute(replica.db)`select pg_wal_replay_pause()`;
  await signUp(context, { email: 'behind@example.com' });
  const askedAt = performance.now();
  expect(await search('behind@example.com')).toEqual({ found: 1, isFromReplica: false });
  expect(performance.now() - askedAt).toBeGreaterThan(900);
  const askedAgainAt = performance.now();
  expect(await booted.context.replica?.catchUp()).toBe(false);
  expect(await booted.context.replica?.catchUp()).toBe(false);
  expect(performance.now() - askedAgainAt).toBeLessThan(1900);
  await execute(replica.db)`select pg_wal_replay_resume()`;
  await expect.poll(() => search('behind@example.com')).toEqual({ found: 1, isFromReplica: true });
});

test('a read that fails because the replica dies is read on the primary, until the replica is back', async () => {
  const read = async () => {
    const asked: Db[] = [];
    const answer = await onReplica(context, async ({ db }) => {
      asked.push(db);
      if (db === counting) await standby.kill();
      return findValue(db)<string>`select email from identity.member where id = ${memberId}`;
    });
    return { asked, answer };
  };
  // The replica may still rest after the test before.
  await expect.poll(read).toEqual({ asked: [counting, context.db], answer: 'first@example.com' });
  expect(await search('first@example.com')).toEqual({ found: 1, isFromReplica: false });
  await standby.start();
  await expect.poll(() => search('first@example.com')).toEqual({ found: 1, isFromReplica: true });
});

test('while it does not respond at all the primary is read within a second and a half', async () => {
  standby.freeze();
  const askedAt = performance.now();
  const reply = await search('first@example.com');
  const ms = performance.now() - askedAt;
  standby.thaw();
  expect(reply).toEqual({ found: 1, isFromReplica: false });
  expect(ms).toBeLessThan(1500);
});

test('a fault of the query itself is not retried', async () => {
  await expect.poll(replica.catchUp).toBe(true);
  const asked: Db[] = [];
  const reading = onReplica(context, async ({ db }) => {
    asked.push(db);
    return findValue(db)`select 1 / 0`;
  });
  await expect(reading).rejects.toThrow('division by zero');
  expect(asked).toEqual([counting]);
});

test('one that was promoted is no longer a replica', async () => {
  await expect.poll(replica.catchUp).toBe(true);
  await standby.promote();
  expect(await replica.catchUp()).toBe(false);
});
