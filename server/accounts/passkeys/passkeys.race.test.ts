import { base32nopad } from '@scure/base';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { codeAt } from '#test/worlds/operators.ts';
import { firstFactorCodeOf } from '#test/worlds/second-factor.ts';
import { address, firefox, openWorld, password } from '../accounts-world.test-setup.ts';
import { beginPasskeySignIn, signInByPasskey } from '../sign-in/sign-in-by-passkey.ts';
import { beginApp, callerOf } from '../two-factor/second-factor.test-setup.ts';
import { confirmTotp, startTotp } from '../two-factor/set-up-totp.ts';
import { beginPasskey, challengePasskey, getRelyingParty } from './ceremonies.ts';
import { addPasskey, removePasskey, startPasskey } from './member-passkeys.ts';
import { listPasskeys } from './passkeys.ts';

const world = closeAfterAll(await openWorld());
const { context } = world;
const rp = getRelyingParty(context.config, 'localhost');

/** A new member with a passkey, signed in. */
async function withPasskey(device = makeAuthenticator()) {
  const account = await world.signUp();
  const caller = await callerOf(world, await world.signIn(account.referralCode));
  const otp = await firstFactorCodeOf(context, account.memberId);
  const options = await startPasskey(context, caller, rp, { password, otp, address });
  await addPasskey(context, caller, { name: 'Laptop', answer: device.create(options), address });
  return { ...account, caller, device };
}

test('one response sent twenty times concurrently gives one session', async () => {
  for (const isSynced of [false, true]) {
    const { memberId, device } = await withPasskey(makeAuthenticator('http://localhost', { isSynced }));
    const before = await world.count('identity.auth_session', `member_id = ${memberId}`);
    const answer = device.get(await beginPasskeySignIn(context, rp));
    const { done, refused } = await atOnce(
      times(20, () => signInByPasskey(context, { answer, userAgent: firefox, address })),
    );
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(19).fill('passkey_refused'));
    expect(await world.count('identity.auth_session', `member_id = ${memberId}`)).toBe(before + 1);
  }
});

test('of passkeys set up concurrently the first one voids the others', async () => {
  const { memberId } = await world.signUp();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      inTransaction(context.db, async (tx) =>
        makeAuthenticator().create(await beginPasskey(context, tx, rp, { memberId }, { id: 'TW', name: 'Ada' })),
      ),
    ),
  );
  const caller = { kind: 'member', memberId, authSessionId: 1n } as const;
  const results = await atOnce(
    answers.map((answer) => () => addPasskey(context, caller, { name: 'Key', answer, address })),
  );
  expect(results.done).toHaveLength(1);
  expect(await listPasskeys(context.db, { memberId })).toHaveLength(1);
});

test('a sign-in during the removal of the passkey is refused, or ended by it', async () => {
  const { memberId, caller, device } = await withPasskey();
  const [passkey] = await listPasskeys(context.db, { memberId });
  const answer = device.get(await beginPasskeySignIn(context, rp));
  const secondFactor = device.get(await challengePasskey(context, rp, { memberId: caller.memberId }));
  const removal = { password, secondFactor, address };
  await atOnce([
    () => signInByPasskey(context, { answer, userAgent: firefox, address }),
    () => removePasskey(context, caller, BigInt(passkey?.id ?? 0), removal),
  ]);
  const left = `member_id = ${memberId} and id <> ${caller.authSessionId}`;
  const isRemoved = (await listPasskeys(context.db, { memberId })).length === 0;
  if (isRemoved) expect(await world.count('identity.auth_session', left)).toBe(0);
});

test('one emailed code starts one set-up of a first second factor', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { memberId, referralCode } = await world.signUp();
    const caller = await callerOf(world, await world.signIn(referralCode));
    const input = { password, otp: await firstFactorCodeOf(context, memberId), address };
    const { done, refused } = await atOnce([
      ...times(2, () => startTotp(context, caller, input)),
      ...times(2, () => startPasskey(context, caller, rp, input)),
    ]);
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(3).fill('wrong_otp'));
  }
});

test('a set-up started with a code while the first factor is turned on adds nothing', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { memberId, referralCode } = await world.signUp();
    const caller = await callerOf(world, await world.signIn(referralCode));
    const appCode = codeAt(base32nopad.decode(await beginApp(world, caller)), world.clock.now());
    const input = { password, otp: await firstFactorCodeOf(context, memberId), address };
    const [confirmed, begun] = await Promise.allSettled([
      confirmTotp(context, caller, { otp: appCode, address }),
      startPasskey(context, caller, rp, input),
    ]);
    expect(confirmed.status).toBe('fulfilled');
    if (begun.status === 'rejected') {
      expect(['second_factor_required', 'wrong_otp']).toContain(begun.reason.code);
    } else {
      const answer = makeAuthenticator().create(begun.value);
      const added = addPasskey(context, caller, { name: 'Key', answer, address });
      await expect(added).rejects.toMatchObject({ code: 'passkey_refused' });
    }
    expect(await listPasskeys(context.db, { memberId })).toEqual([]);
  }
});
