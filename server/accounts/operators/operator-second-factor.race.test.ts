import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { addOperatorPasskey, codeAt, makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { address, firefox } from '../accounts-world.test-setup.ts';
import {
  confirmOperator,
  confirmOperatorTotp,
  findCaller,
  freezeMember,
  lockWithdrawer,
  signInOperator,
  startOperatorTotp,
} from '../index.ts';
import { deletePasskeyChallenges, getRelyingParty } from '../passkeys/ceremonies.ts';
import { deletePasskey, listPasskeys } from '../passkeys/passkeys.ts';
import { openOperators } from './accounts/operator-accounts.test-setup.ts';
import { askLegalContact, confirmAdmin } from './legal/legal-confirmation.ts';
import { addPasskey, removePasskey, startPasskey } from './operator-passkeys.ts';

const ROUNDS = 5;
const LAWYER = 'legal@company.test';
const world = closeAfterAll(await openOperators());
const { context } = world;
const live: Context = { ...context, config: { ...context.config, mode: 'live', legalContactEmail: LAWYER } };

test('one authenticator code sent twenty times concurrently confirms one operation', async () => {
  const operator = await makeOperator(world.context, 'finance');
  for (let round = 0; round < ROUNDS; round += 1) {
    world.clock.advance(3600);
    const otp = codeAt(operator.secret, world.context.now());
    const { done, refused } = await atOnce(
      times(20, async () => {
        await confirmOperator(world.context, operator.operatorId, otp);
        return 'confirmed';
      }),
    );
    expect(done).toEqual(['confirmed']);
    // Ten may be compared before the right one is accepted; later ones start a new count.
    expect(new Set([...refused, 'wrong_second_factor', 'too_many_requests']).size).toBe(2);
    expect(refused).toHaveLength(19);
  }
});

test('of fifty concurrent wrong codes ten are compared', async () => {
  const operator = await makeOperator(world.context, 'finance');
  const now = world.context.now();
  const right = [-30_000, 0, 30_000].map((ms) => codeAt(operator.secret, new Date(now.getTime() + ms)));
  const wrong = ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? '';
  const { refused } = await atOnce(times(50, () => confirmOperator(world.context, operator.operatorId, wrong)));
  expect(refused.filter((code) => code === 'wrong_second_factor')).toHaveLength(10);
  expect(refused.filter((code) => code === 'too_many_requests')).toHaveLength(40);
});

test('one code sent twenty times concurrently to one sign-in, or to five, gives one session', async () => {
  const operator = await makeOperator(world.context, 'finance');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const challenges of [1, 5]) {
      world.clock.advance(3600);
      const tokens = await Promise.all(
        times(challenges, () => world.challengeOperator(operator)).map((begin) => begin()),
      );
      const otp = codeAt(operator.secret, world.context.now());
      const { done } = await atOnce(times(20, (index) => world.verifyOperator(tokens[index % challenges] ?? '', otp)));
      expect(done).toHaveLength(1);
    }
  }
});

test('a sign-in that races with the set-up of the second factor leaves no session made by password alone', async () => {
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    const { operatorId, email, token: own, caller } = await world.addPlainOperator();
    const signIn = () =>
      signInOperator(world.context, { email, password: OPERATOR_PASSWORD, userAgent: firefox, address });
    const { secret } = await startOperatorTotp(world.context, operatorId, { password: OPERATOR_PASSWORD, address });
    const otp = codeAt(base32nopad.decode(secret), world.context.now());
    // Started at different points of the sign-ins, most of whose time is the check of the password.
    const confirm = async () => {
      await confirmOperatorTotp(world.context, caller, { otp, address });
      return 'confirmed' as const;
    };
    const { done } = await atOnce([
      ...times(2 + (round % 3), signIn),
      async () => {
        await Promise.all(times(round % 4, signIn).map((sign) => sign()));
        return confirm();
      },
    ]);
    expect(done).toContain('confirmed');
    expect(await world.count('identity.auth_session', `operator_id = ${operatorId}`)).toBe(1);
    expect(await findCaller(world.context, own)).toEqual({ ...caller, hasSecondFactor: true });
  }
});

test('a withdrawal’s lock on a member is shared with other withdrawals and makes a freeze wait', async () => {
  const { memberId } = await world.signUp();
  const freeze = () =>
    inTransaction(world.database.db, async (tx) => {
      await sql`set local lock_timeout = '50ms'`.execute(tx);
      const actor = { kind: 'system', id: null } as const;
      return freezeMember(tx, { memberId, actor, why: 'test', now: world.context.now() });
    });
  await inTransaction(world.database.db, async (tx) => {
    await lockWithdrawer(tx, memberId);
    const second = await inTransaction(world.database.db, (other) => lockWithdrawer(other, memberId));
    expect(second.frozenAt).toBeNull();
    await expect(freeze()).rejects.toMatchObject({ code: '55P03' });
  });
  expect(await freeze()).toBe(true);
});

test('one passkey response sent ten times concurrently confirms one operation', async () => {
  const operator = await makeOperator(context, 'finance');
  const { confirm } = await addOperatorPasskey(context, operator);
  const answer = await confirm();
  const { done, refused } = await atOnce(
    times(10, async () => {
      await confirmOperator(context, operator.operatorId, answer);
      return 'confirmed';
    }),
  );
  expect(done).toEqual(['confirmed']);
  expect(new Set(refused)).toEqual(new Set(['passkey_refused']));
});

test('a response of a passkey being removed waits for the removal, which waits for nothing', async () => {
  const operator = await makeOperator(context, 'finance');
  const owner = { operatorId: operator.operatorId };
  const { confirm } = await addOperatorPasskey(context, operator);
  const [passkey] = await listPasskeys(context.db, owner);
  const answer = await confirm();
  const isWaiting = async () => (await countLockWaits(context.db)) > 0;
  const confirming = await inTransaction(context.db, async (tx) => {
    await deletePasskey(tx, owner, BigInt(passkey?.id ?? 0));
    const outcome = confirmOperator(context, operator.operatorId, answer).catch((error: unknown) => error);
    await waitFor(isWaiting, 'the answer waits for the passkey');
    await deletePasskeyChallenges(tx, owner);
    return { outcome };
  });
  expect(await confirming.outcome).toMatchObject({ code: 'passkey_refused' });
});

test('of the last two passkeys removed concurrently one is left to sign in with', async () => {
  const operator = await makeOperator(context, 'finance');
  const { operatorId } = operator;
  const { confirm, device } = await addOperatorPasskey(context, operator);
  const caller = await findCaller(context, operator.token);
  assert(caller?.kind === 'operator');
  const given = { password: OPERATOR_PASSWORD, address };
  const rp = getRelyingParty(context.config, undefined);
  const creation = await startPasskey(context, rp, operatorId, { ...given, otp: await confirm() });
  await addPasskey(context, caller, { name: 'Key', answer: device.create(creation), address });
  await sql`delete from identity.totp where operator_id = ${operatorId}`.execute(context.db);
  const [one, other] = await listPasskeys(context.db, { operatorId });
  const answers = [await confirm(), await confirm()] as const;
  const { done, refused } = await atOnce(
    [one, other].map((passkey, index) => async () => {
      const otp = answers[index] as (typeof answers)[0];
      await removePasskey(context, caller, { ...given, otp, id: BigInt(passkey?.id ?? 0) });
      return 'removed';
    }),
  );
  expect(done).toEqual(['removed']);
  // The first removal also ends the other’s challenge, or deletes the row first.
  expect(['last_second_factor', 'passkey_refused']).toContain(refused[0]);
  expect(await listPasskeys(context.db, { operatorId })).toHaveLength(1);
});

test('the legal contact gets one email about an admin, and its link confirms once, under any concurrency', async () => {
  const admin = await makeOperator(context, 'admin');
  await addOperatorPasskey(context, admin);
  const { done: sent } = await atOnce(times(5, () => askLegalContact(live)));
  expect(sent.toSorted()).toEqual([0, 0, 0, 0, 1]);
  const mails = await world.emailsTo(LAWYER);
  expect(mails).toHaveLength(1);
  const token = /confirm-admin#(\S+)/.exec(mails[0]?.text ?? '')?.[1] ?? '';
  const { done, refused } = await atOnce(
    times(10, async () => {
      await confirmAdmin(live, { token, address });
      return 'confirmed';
    }),
  );
  expect(done).toEqual(['confirmed']);
  expect(refused).toEqual(Array(9).fill('confirmation_over'));
});
