import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { address, atOnce, firefox, openWorld, password, times } from '../accounts-world.test-setup.ts';
import { beginPasskeySignIn, signInByPasskey } from '../sign-in/sign-in-by-passkey.ts';
import { callerOf } from '../two-factor/second-factor.test-setup.ts';
import { beginPasskey, getRelyingParty } from './ceremonies.ts';
import { addPasskey, askPasskey, removePasskey, startPasskey } from './member-passkeys.ts';
import { listPasskeys } from './passkeys.ts';

const world = closeAfterAll(await openWorld());
const { context } = world;
const rp = getRelyingParty(context.config, 'localhost');

/** A new member with a passkey, signed in. */
async function withPasskey(device = makeAuthenticator()) {
  const account = await world.signUp();
  const caller = await callerOf(world, await world.signIn(account.referralCode));
  const options = await startPasskey(context, caller, rp, { password, secondFactor: undefined, address });
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
  const secondFactor = device.get(await askPasskey(context, caller, rp));
  const removal = { password, secondFactor, address };
  await atOnce<unknown>([
    () => signInByPasskey(context, { answer, userAgent: firefox, address }),
    () => removePasskey(context, caller, BigInt(passkey?.id ?? 0), removal),
  ]);
  const left = `member_id = ${memberId} and id <> ${caller.authSessionId}`;
  const isRemoved = (await listPasskeys(context.db, { memberId })).length === 0;
  if (isRemoved) expect(await world.count('identity.auth_session', left)).toBe(0);
});
