import assert from 'node:assert';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { address, openWorld, password } from '../accounts-world.test-setup.ts';
import { consumeOtpOfAny } from '../codes/one-time-password.ts';
import { answerResetRequests, findCaller } from '../index.ts';
import { replaceAddress } from '../members/change-email.ts';
import { lockMember } from '../members/members.ts';
import { changePassword } from './change-password.ts';
import { requestReset } from './reset-password.ts';
import { insertResetToken } from './reset-sql.ts';

const world = closeAfterAll(await openWorld());
const { context, clock } = world;

test('a code exchanged for a token during a security change leaves no token', async () => {
  const account = await world.signUp();
  const { memberId } = account;
  const caller = await findCaller(context, await world.signIn(account.referralCode));
  assert(caller?.kind === 'member');
  const otp = await world.askForCode(account.referralCode, account);
  const now = clock.now();
  // The transaction of the exchange, which holds the code.
  const exchange = await holdOpen(context.db, async (tx) => {
    const tried = { memberIds: [memberId], purpose: 'reset_password', details: '', otp, now } as const;
    expect(await consumeOtpOfAny(tx, tried)).toBe(memberId);
    await insertResetToken(tx, { tokenHash: Buffer.alloc(32), memberId, expiresAt: new Date(now.getTime() + 900_000) });
  });
  const change = changePassword(context, caller, { currentPassword: password, password: 'gale force nine', address });
  await waitFor(async () => (await countLockWaits(context.db)) === 1, 'the change waits');
  await exchange();
  await change;
  expect(await world.count('identity.reset_token', `member_id = ${memberId}`)).toBe(0);
});

test('a code requested during a change of the email address goes to the new one', async () => {
  const account = await world.signUp();
  const moved = `moved.${account.input.email}`;
  await requestReset(context, { loginId: account.referralCode, address });
  // By the old address nobody is meant any more.
  await requestReset(context, { loginId: account.input.email, address });
  const change = await holdOpen(context.db, async (tx) => {
    const member = await lockMember(tx, account.memberId);
    assert(member !== undefined);
    await replaceAddress(context, tx, member, { email: moved, keepSession: null, address });
  });
  await expect(answerResetRequests(context)).rejects.toThrow('Reset codes that could not be sent');
  await change();
  await answerResetRequests(context);
  const codesTo = async (to: string) => (await world.emailsTo(to)).filter(({ text }) => /is \d{6}\./.test(text)).length;
  expect(await Promise.all([codesTo(account.input.email), codesTo(moved)])).toEqual([0, 1]);
});
