import assert from 'node:assert';
import { beforeEach, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { wrongCode } from '#test/worlds/operators.ts';
import { address, firefox, openWorld, password, refusedTimes } from '../accounts-world.test-setup.ts';
import { answerResetRequests } from '../index.ts';
import { readDevices } from '../sign-in/device-tokens.ts';
import { brake } from '../sign-in/guesses.ts';
import { signInMember, verifyMemberOtp } from '../sign-in/sign-in-member.ts';
import { enrol } from '../two-factor/second-factor.test-setup.ts';
import { requestReset, resetPassword, verifyResetOtp } from './reset-password.ts';

const world = closeAfterAll(await openWorld());
const { context, clock } = world;
const NEXT = 'gale force nine';
const wrongOtp = { code: 'wrong_otp' };
const over = { code: 'too_many_requests', status: 429 };

// What earlier tests used up is a day old.
beforeEach(() => clock.advance(86_400));

const devices = (token: string | undefined) => readDevices({ 'x-device-token': token ?? '' });
const request = (loginId: string, device?: string) =>
  requestReset(context, { loginId, address, devices: devices(device) });
const verify = (loginId: string, otp: string) => verifyResetOtp(context, { loginId, otp, address });
const reset = (resetToken: string, device?: string) =>
  resetPassword(context, { resetToken, password: NEXT, address, devices: devices(device) });
const tokenFor = async (account: Parameters<typeof world.askForCode>[1]) =>
  verify(account.referralCode, await world.askForCode(account.referralCode, account));
const linksTo = async (email: string) =>
  (await world.emailsTo(email)).filter(({ text }) => text.includes('/reset-password#')).length;
/** All codes of a day, to strangers. */
const useUp = async (loginId: string) => {
  for (let asked = 0; asked < 10; asked += 1) {
    await request(loginId);
    await answerResetRequests(context);
    clock.advance(60);
  }
};

test('a right code gives back the tries before it', async () => {
  const account = await world.signUp();
  for (let round = 0; round < 8; round += 1) {
    const code = await world.askForCode(account.referralCode, account);
    await refusedTimes(4, () => verify(account.referralCode, wrongCode(code)), wrongOtp);
    await verify(account.referralCode, code);
    clock.advance(60);
  }
});

test('while strangers guess at many accounts, they guess no codes either, and a right one is none of their tries', async () => {
  const account = await world.signUp();
  const code = await world.askForCode(account.referralCode, account);
  const failures = () =>
    world.count('identity.stranger_failure f, generate_series(1, f.count)', `minute >= '${clock.now().toISOString()}'`);
  await refusedTimes(1, () => verify(account.referralCode, wrongCode(code)), wrongOtp);
  expect(await failures()).toBe(1);
  await verify(account.referralCode, code);
  expect(await failures()).toBe(1);
  await world.database.runScript(
    `update identity.stranger_failure set count = ${brake.maxFailures + brake.maxPerMinute} where count > 0`,
  );
  await expect(verify(account.referralCode, code)).rejects.toMatchObject(over);
});

test('a link replaces the used-up codes although a code was exchanged just before', async () => {
  const account = await world.signUp();
  await useUp(account.referralCode);
  expect(await linksTo(account.input.email)).toBe(0);
  const code = (await world.emailsTo(account.input.email)).at(-1)?.text.match(/is (\d{6})\./)?.[1] ?? 'no code';
  await verify(account.referralCode, code);
  await request(account.referralCode);
  await answerResetRequests(context);
  expect(await linksTo(account.input.email)).toBe(1);
});

test('a request repeated by a stranger is answered to the browser that made the first', async () => {
  const account = await world.signUp();
  const { deviceToken } = await signIn(account.referralCode);
  await useUp(account.referralCode);
  await request(account.referralCode, deviceToken);
  await request(account.referralCode);
  await answerResetRequests(context);
  expect(await linksTo(account.input.email)).toBe(0);
});

test('an email for one account belongs to it, one for several to the account that verified the address, or to none', async () => {
  const email = 'shared@mail.test';
  const one = await world.signUp({ email });
  const owners = async (kind: string) => {
    clock.advance(60);
    await world.askForCode(email, one);
    const of = (memberId: bigint) => `member_id = ${memberId}`;
    const mails = (owner: string) => world.count('notify.mail', `subject like '%reset%' and ${kind} and ${owner}`);
    return [await mails(of(one.memberId)), await mails(of(other?.memberId ?? 0n)), await mails('member_id is null')];
  };
  let other: typeof one | undefined;
  expect(await owners("kind = 'reset'")).toEqual([1, 0, 0]);
  other = await world.signUp({ email });
  expect(await owners("kind = 'reset'")).toEqual([1, 0, 1]);
  await world.database.runScript(`update identity.member set email_verified_at = now() where id = ${other.memberId}`);
  // Without the cap of addresses that anybody can name.
  expect(await owners('kind is null')).toEqual([0, 1, 0]);
});

test('a token used five times at once sets one password', async () => {
  const account = await world.signUp();
  const token = await tokenFor(account);
  const { done, refused } = await atOnce(times(5, () => reset(token)));
  expect(done).toHaveLength(1);
  expect(refused).toEqual(Array(4).fill('wrong_reset_token'));
});

test.each([
  ['knew for codes keeps its own tries of them', true],
  ['did not know shares those of strangers', false],
])('a browser that the account %s after a reset', async (_, isKnown) => {
  const account = await enrol(world);
  const begin = async (device?: string, word = NEXT) => {
    const input = { loginId: account.referralCode, password: word, userAgent: firefox, address };
    const begun = await signInMember(context, { ...input, devices: devices(device) });
    assert('challenge' in begun);
    return begun.challenge;
  };
  const finish = (challenge: string, otp: string, device?: string) =>
    verifyMemberOtp(context, { challenge, code: { otp }, userAgent: firefox, address, devices: devices(device) });
  const before = isKnown ? (await finish(await begin(undefined, password), account.code())).deviceToken : undefined;
  const { deviceToken } = await reset(await tokenFor(account), before);
  for (let round = 0; round < 2; round += 1) {
    const challenge = await begin();
    await refusedTimes(5, () => finish(challenge, wrongCode(account.code())), { code: 'wrong_second_factor' });
  }
  const finished = finish(await begin(deviceToken), account.code(), deviceToken);
  await (isKnown ? finished : expect(finished).rejects.toMatchObject(over));
});

async function signIn(loginId: string) {
  const signedIn = await signInMember(context, { loginId, password, userAgent: firefox, address });
  assert('deviceToken' in signedIn);
  return signedIn;
}
