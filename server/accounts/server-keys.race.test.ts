import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { openWorld } from './accounts-world.test-setup.ts';
import { operate, sendAndRead } from './codes/operation-otp.test-setup.ts';
import {
  getServerKey,
  listKeyVersions,
  listServerKeys,
  otpKeyUse,
  retireServerKeys,
  rotateServerKeys,
} from './index.ts';

const world = closeAfterAll(await openWorld());
const { context, clock } = world;
const versions = async () => [...(await listServerKeys(context.db, 'otp')).keys()].toSorted();
const newest = () => inTransaction(context.db, (tx) => getServerKey(tx, 'otp', context.now()));

test('processes that first need a key concurrently share one, and concurrent rotations make one version', async () => {
  const first = await Promise.all(Array.from({ length: 6 }, newest));
  expect(new Set(first.map(({ value }) => value.toString('hex'))).size).toBe(1);
  expect(first[0]?.version).toBe(1);
  await Promise.all([rotateServerKeys(context, ['otp']), rotateServerKeys(context, ['otp'])]);
  const now = await newest();
  expect(await versions()).toEqual(Array.from({ length: now.version }, (_, at) => at + 1));
  expect(await world.listActions('key:otp')).toHaveLength(now.version - 1);
});

test('codes requested and used during a rotation are all valid', async () => {
  const accounts = [];
  for (let made = 0; made < 12; made += 1) accounts.push(await world.signUp());
  const codes = await atOnce([
    ...accounts.map((account) => async () => operate(world, account, await sendAndRead(world, account))),
    ...times(3, () => rotateServerKeys(context, ['otp'])),
  ]);
  expect(codes.refused).toEqual([]);
  expect(codes.done.filter((one) => one === 'done')).toHaveLength(12);
});

test('a code emailed before a rotation confirms its operation after it; only then is the old key deleted', async () => {
  const account = await world.signUp();
  const code = await sendAndRead(world, account);
  const before = await newest();
  await rotateServerKeys(context, ['otp']);
  const after = await newest();
  expect(after.version).toBe(before.version + 1);
  expect(after.value.equals(before.value)).toBe(false);
  const ofBefore = async () =>
    (await listKeyVersions(context.db, [otpKeyUse])).find(({ version }) => version === before.version);
  expect(await ofBefore()).toMatchObject({ isCurrent: false, rows: 1 });
  clock.advance(300);
  expect(await operate(world, account, code)).toBe('done');
  expect(await ofBefore()).toMatchObject({ rows: 0 });
  // An operation started before the rotation may not have written its row yet.
  await retireServerKeys(context, [otpKeyUse]);
  expect(await versions()).toContain(before.version);
  clock.advance(3300);
  await sql`delete from identity.otp`.execute(context.db);
  const retired = await retireServerKeys(context, [otpKeyUse]);
  expect(retired.map(({ version }) => version)).toContain(before.version);
  expect(await versions()).toEqual([after.version]);
  expect(await world.listActions('key:otp')).toContain('key.retire');
  const next = await world.signUp();
  expect(await operate(world, next, await sendAndRead(world, next))).toBe('done');
});

test('a version still used by a code stays, however old; the current one always stays', async () => {
  const account = await world.signUp();
  const code = await sendAndRead(world, account);
  await rotateServerKeys(context, ['otp']);
  const kept = await versions();
  clock.advance(86_400);
  expect(await retireServerKeys(context, [otpKeyUse])).toEqual([]);
  expect(await versions()).toEqual(kept);
  await expect(operate(world, account, code)).rejects.toMatchObject({ code: 'wrong_otp' });
});
