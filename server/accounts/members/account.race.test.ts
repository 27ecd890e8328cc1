import { base32nopad } from '@scure/base';
import { expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { clusterOfThisWorker } from '#test/database/database.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { testContext } from '#test/worlds/builders.ts';
import { codeAt, wrongCode } from '#test/worlds/operators.ts';
import { address, openWorld, password } from '../accounts-world.test-setup.ts';
import { findCaller, sendEmailOtp } from '../index.ts';
import { endAuthSession, endOtherSessions } from '../sign-in/auth-sessions.ts';
import { disableTotp } from '../two-factor/change-totp.ts';
import { beginApp, callerOf, challengeOf, enrol, verifyWith } from '../two-factor/second-factor.test-setup.ts';
import { confirmTotp } from '../two-factor/set-up-totp.ts';
import { changeEmail } from './change-email.ts';

const ROUNDS = 4;

const world = closeAfterAll(await openWorld());
/** The same database from another process, with its own pool, cache and context. */
const name = await getValue(world.database.db)<string>`select current_database()`;
const url = clusterOfThisWorker().replace(/\/postgres$/, `/${name}`);
const elsewhere = testContext(closeAfterAll(connectPostgres(url, { max: 5 })), world.clock);

async function challengesOf(referralCode: string, count: number): Promise<string[]> {
  const challenges: string[] = [];
  for (let made = 0; made < count; made += 1) challenges.push(await challengeOf(world, referralCode));
  return challenges;
}

test('a recovery code used twenty times concurrently signs in once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await enrol(world);
    const [recoveryCode = ''] = account.recoveryCodes;
    const challenges = await challengesOf(account.referralCode, 9);
    const { done, refused } = await atOnce(
      times(20, (index) => verifyWith(world, challenges[index % 9] ?? '', { recoveryCode })),
    );
    expect(done).toHaveLength(1);
    expect(refused).toHaveLength(19);
    expect(await world.count('identity.recovery_code', `member_id = ${account.memberId}`)).toBe(9);
  }
});

test('an authenticator code used twenty times concurrently signs in once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await enrol(world);
    const challenges = await challengesOf(account.referralCode, 9);
    const otp = account.code();
    const { done } = await atOnce(times(20, (index) => verifyWith(world, challenges[index % 9] ?? '', { otp })));
    expect(done).toHaveLength(1);
  }
});

test('of twenty concurrent wrong codes five count as tries, and the right one comes too late', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await enrol(world);
    const challenge = await challengeOf(world, account.referralCode);
    const otp = account.code();
    const { refused } = await atOnce(times(20, () => verifyWith(world, challenge, { otp: wrongCode(otp) })));
    expect(refused.filter((code) => code === 'wrong_second_factor')).toHaveLength(5);
    expect(refused.filter((code) => code === 'sign_in_expired')).toHaveLength(15);
    await expect(verifyWith(world, challenge, { otp })).rejects.toMatchObject({ code: 'sign_in_expired' });
  }
});

test('a first code sent ten times concurrently enables the second factor once, with one set of codes', async () => {
  const account = await world.signUp();
  const caller = await callerOf(world, await world.signIn(account.referralCode));
  const secret = await beginApp(world, caller);
  const otp = codeAt(base32nopad.decode(secret), world.clock.now());
  const { done } = await atOnce(times(10, () => confirmTotp(world.context, caller, { otp, address })));
  expect(done).toHaveLength(1);
  expect(await world.count('identity.recovery_code', `member_id = ${account.memberId}`)).toBe(10);
});

test('no sign-in by password alone survives the second factor being enabled', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const caller = await callerOf(world, await world.signIn(account.referralCode));
    const secret = await beginApp(world, caller);
    const otp = codeAt(base32nopad.decode(secret), world.clock.now());
    const [confirmed, ...signIns] = await Promise.allSettled([
      confirmTotp(world.context, caller, { otp, address }),
      ...Array.from({ length: 6 }, () => world.signIn(account.referralCode)),
    ]);
    expect(confirmed?.status).toBe('fulfilled');
    for (const end of signIns) {
      if (end.status === 'fulfilled') expect(await findCaller(world.context, String(end.value))).toBeUndefined();
    }
    expect(await world.count('identity.auth_session', `member_id = ${account.memberId}`)).toBe(1);
  }
});

test('disabling it during other sign-ins keeps this sign-in and those made after it', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await enrol(world);
    const challenges = await challengesOf(account.referralCode, 5);
    const otp = account.code();
    await Promise.allSettled([
      disableTotp(world.context, account.caller, { password, secondFactor: otp, address }),
      ...challenges.map((challenge, index) =>
        verifyWith(world, challenge, { recoveryCode: account.recoveryCodes[index] ?? '' }),
      ),
    ]);
    expect(await world.count('identity.totp', `member_id = ${account.memberId}`)).toBe(0);
    expect(await world.count('identity.recovery_code', `member_id = ${account.memberId}`)).toBe(0);
    expect(await world.count('identity.sign_in_challenge', `member_id = ${account.memberId}`)).toBe(0);
    expect(await world.count('identity.auth_session', `member_id = ${account.memberId}`)).toBe(1);
  }
});

test('an email address changed ten times concurrently with one code is changed once', async () => {
  const account = await world.signUp();
  const { memberId } = account;
  const caller = await callerOf(world, await world.signIn(account.referralCode));
  const email = 'raced@mail.test';
  const now = world.context.now();
  await inTransaction(world.database.db, (tx) => sendEmailOtp(tx, 'Tradewind', { memberId, email, now }));
  const codeTo = async (to: string) =>
    /The code is (\d{6})\./.exec((await world.emailsTo(to)).at(-1)?.text ?? '')?.[1] ?? '';
  const [otp, oldOtp] = [await codeTo(email), await codeTo(account.input.email)];
  const { done, refused } = await atOnce(
    times(10, () => changeEmail(world.context, caller, { email, otp, oldOtp, password, address })),
  );
  expect(done).toHaveLength(1);
  expect(refused).toEqual(Array(9).fill('wrong_otp'));
});

test('a sign-in that is ended while in use stays ended, however many calls it has in flight', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const keeper = await callerOf(world, await world.signIn(account.referralCode));
    const token = await world.signIn(account.referralCode);
    const { authSessionId } = await callerOf(world, token);
    // A minute later its last use is written again, which must not revive it.
    world.clock.advance(61);
    await Promise.all([
      ...Array.from({ length: 10 }, () => findCaller(world.context, token)),
      endAuthSession(world.context, keeper, authSessionId, address),
      ...Array.from({ length: 10 }, () => findCaller(world.context, token)),
    ]);
    expect(await findCaller(world.context, token)).toBeUndefined();
    expect(await world.count('identity.auth_session', `id = ${authSessionId}`)).toBe(0);
  }
});

test('a sign-in made in one process works in the other, and ends in both within a second', async () => {
  const account = await world.signUp();
  const keeper = await world.signIn(account.referralCode);
  const token = await world.signIn(account.referralCode);
  expect(await findCaller(elsewhere, token)).toMatchObject({ memberId: account.memberId });
  expect(await endOtherSessions(world.context, await callerOf(world, keeper), address)).toBe(1);
  expect(await findCaller(world.context, token)).toBeUndefined();
  world.clock.advance(1);
  expect(await findCaller(elsewhere, token)).toBeUndefined();
  expect(await findCaller(elsewhere, keeper)).toBeDefined();
});
