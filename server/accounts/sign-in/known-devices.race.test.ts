import assert from 'node:assert';
import { expect, test } from 'vitest';
import type { MemberCaller } from '#server/caller.ts';
import { findValue } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { address, firefox, openWorld, password } from '../accounts-world.test-setup.ts';
import { findCaller } from '../index.ts';
import { endOtherSessions } from './auth-sessions.ts';
import { readDevices } from './device-tokens.ts';
import { brake, claimStrangerTry } from './guesses.ts';
import { signInMember } from './sign-in-member.ts';

const ROUNDS = 3;
const world = closeAfterAll(await openWorld());
const { context } = world;

const signIn = async (loginId: string, device?: string, word = password) => {
  const devices = readDevices({ 'x-device-token': device });
  const signedIn = await signInMember(context, { loginId, password: word, userAgent: firefox, address, devices });
  assert('accessToken' in signedIn);
  return signedIn;
};

test('while strangers try twenty passwords, twenty concurrent sign-ins of the known device succeed', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { referralCode } = await world.signUp();
    const { deviceToken } = await signIn(referralCode);
    const strangers = times(20, () => signIn(referralCode, undefined, 'another word 9'));
    const own = times(20, () => signIn(referralCode, deviceToken));
    const { done, refused } = await atOnce([...strangers, ...own]);
    expect(refused.toSorted()).toEqual([...Array(10).fill('too_many_requests'), ...Array(10).fill('wrong_login')]);
    expect(done).toHaveLength(20);
    expect(done.filter((one) => one.deviceToken !== undefined)).toEqual([]);
  }
});

test('of twenty concurrent wrong passwords of a known device ten are compared', async () => {
  const { referralCode } = await world.signUp();
  const { deviceToken } = await signIn(referralCode);
  const { refused } = await atOnce(times(20, () => signIn(referralCode, deviceToken, 'another word 9')));
  expect(refused.filter((code) => code === 'wrong_login')).toHaveLength(10);
  await signIn(referralCode);
});

test('a device that is signed out everywhere during its sign-in has a valid token, or none', async () => {
  for (let round = 0; round < 5 * ROUNDS; round += 1) {
    const { memberId, referralCode } = await world.signUp();
    const [known, other] = [await signIn(referralCode), await signIn(referralCode)];
    const caller = (await findCaller(context, other.accessToken)) as MemberCaller;
    await atOnce([() => endOtherSessions(context, caller, address), () => signIn(referralCode, known.deviceToken)]);
    // No sign-in refers to a device that is unknown.
    const left = await world.count('identity.auth_session', `member_id = ${memberId} and device_id is not null`);
    expect(left).toBeLessThanOrEqual(2);
  }
});

test('concurrent failures are all counted, and under the limit no more pass than are allowed in a minute', async () => {
  const minute = context.now();
  const claim = (network: number) => () => claimStrangerTry(context.db, `198.51.${network % 200}.${network}`, minute);
  const sum = () => findValue(context.db)<number>`
      select coalesce(sum(count), 0)::int as sum from identity.stranger_failure`;
  await world.database.runScript('delete from identity.stranger_failure');
  const claims = await Promise.all(Array.from({ length: 100 }, (_, network) => claim(network)()));
  expect(claims.every((one) => 'part' in one)).toBe(true);
  expect(await sum()).toBe(100);
  await world.database.runScript(`
    update identity.stranger_failure set minute = minute - interval '1 minute', count = ${brake.maxFailures}`);
  const before = await sum();
  const braked = await Promise.all(Array.from({ length: 200 }, (_, network) => claim(network)()));
  const passed = braked.filter((one) => 'part' in one).length;
  expect(passed).toBeLessThanOrEqual(brake.maxPerMinute);
  // A refusal leaves nothing behind.
  expect(await sum()).toBe((before ?? 0) + passed);
});
