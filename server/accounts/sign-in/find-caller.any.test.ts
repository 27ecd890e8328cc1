import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashToken } from '#server/random-text.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { openWorld } from '../accounts-world.test-setup.ts';
import { findCaller } from '../index.ts';
import { callerCache } from './caller-cache.ts';

const world = closeAfterAll(await openWorld());
const { context, clock } = world;
const signIn = async () => world.signIn((await world.signUp()).referralCode);
const isReadAgain = async (token: string) =>
  callerCache(context.db).find(hashToken(token), clock.now())?.isAging === false;

test('a frequent caller is refreshed without waiting, and an end elsewhere counts within a second', async () => {
  const token = await signIn();
  expect(await findCaller(context, token)).toBeDefined();
  clock.advance(0.6);
  expect(await findCaller(context, token)).toBeDefined();
  await waitFor(() => isReadAgain(token), 'the sign-in is read again');

  // As another process ends it.
  await sql`delete from identity.auth_session where token_hash = ${hashToken(token)}`.execute(context.db);
  clock.advance(0.9);
  expect(await findCaller(context, token)).toBeDefined();
  clock.advance(0.2);
  expect(await findCaller(context, token)).toBeUndefined();
});

test('a caller whose last use is due is not refreshed early: the call that reads it writes it', async () => {
  const token = await signIn();
  expect(await findCaller(context, token)).toBeDefined();
  await sql`
    update identity.auth_session set last_used_at = last_used_at - interval '61 seconds'
    where token_hash = ${hashToken(token)}`.execute(context.db);
  clock.advance(0.6);
  expect(await findCaller(context, token)).toBeDefined();
  await sleep(400);
  clock.advance(0.5);
  expect(await findCaller(context, token)).toBeDefined();
  const { rows } = await sql<{ last_used_at: Date }>`
    select last_used_at from identity.auth_session where token_hash = ${hashToken(token)}`.execute(context.db);
  expect(rows[0]?.last_used_at).toEqual(clock.now());
});
