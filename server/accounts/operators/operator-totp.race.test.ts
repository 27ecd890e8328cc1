import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { codeAt, makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { address, atOnce, firefox, openWorld, times } from '../accounts-world.test-setup.ts';
import {
  confirmOperator,
  confirmOperatorTotp,
  findCaller,
  freezeMember,
  lockWithdrawer,
  signInOperator,
  startOperatorTotp,
} from '../index.ts';

const ROUNDS = 5;

const world = closeAfterAll(await openWorld());

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
    const { done } = await atOnce<unknown>([
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
