import { expect, test } from 'vitest';
import type { OperatorCaller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { address, firefox } from '../../accounts-world.test-setup.ts';
import { findCaller, signInOperator } from '../../index.ts';
import { verifyOperatorOtp } from '../../sign-in/sign-in-operator.ts';
import { lockOperator } from '../operator-sql.ts';
import { lockDecisions } from './account-sql.ts';
import { changeOperatorRole, disableOperator } from './change-operator.ts';
import { insertPassword, resendInvitation } from './invitations.ts';
import { inviteFromServer } from './invite-from-server.ts';
import { openOperators } from './operator-accounts.test-setup.ts';
import { approveOperatorChange, withdrawOperatorChange } from './operator-change.ts';
import { changeOperatorPassword } from './own-account.ts';

const ROUNDS = 5;
const DAY = 86_400;

const world = closeAfterAll(await openOperators());

const disable = async (by: Parameters<typeof world.actor>[0], operatorId: bigint) => {
  const actor = await world.actor(by);
  return () => disableOperator(world.context, actor, { operatorId, why: 'race' });
};

test('two admins who disable each other concurrently leave one of them', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [await world.make('admin'), await world.make('admin')];
    const { done, refused } = await atOnce([
      await disable(one, other.operatorId),
      await disable(other, one.operatorId),
    ]);
    expect(done).toHaveLength(1);
    // Refused under the lock, or before it because the app is already removed.
    expect(['not_allowed', 'second_factor_missing', 'wrong_second_factor']).toContain(refused[0]);
    const alive = `id in (${one.operatorId}, ${other.operatorId}) and disabled_at is null`;
    expect(await world.count('identity.operator', alive)).toBe(1);
  }
});

test('two admins who demote each other concurrently leave one of them an admin', async () => {
  const [one, other] = [await world.make('admin'), await world.make('admin')];
  const lower = async (by: typeof one, operatorId: bigint) => {
    const actor = await world.actor(by);
    return () => changeOperatorRole(world.context, actor, { operatorId, role: 'support', why: 'race' });
  };
  const { done, refused } = await atOnce([await lower(one, other.operatorId), await lower(other, one.operatorId)]);
  expect(done).toHaveLength(1);
  expect(refused).toEqual(['not_allowed']);
});

test('two concurrent approvals count once, and an approval and a withdrawal never both succeed', async () => {
  const [proposer, one, other] = [await world.make('admin'), await world.make('admin'), await world.make('admin')];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await world.invite(proposer, 'finance');
    const actors = [await world.actor(one), await world.actor(other)] as const;
    const { done, refused } = await atOnce(actors.map((by) => () => approveOperatorChange(world.context, by, id)));
    expect(done).toHaveLength(1);
    expect(refused).toEqual(['proposal_not_waiting']);
    expect(await world.listActions(`operator_proposal:${id}`)).toEqual([
      'operator.propose',
      'operator.approve_proposal',
    ]);
    const late = await world.invite(proposer, 'finance');
    const [approver, withdrawer] = [await world.actor(one), await world.actor(other)];
    await atOnce([
      () => approveOperatorChange(world.context, approver, late.id),
      () => withdrawOperatorChange(world.context, withdrawer, late.id),
    ]);
    expect(await world.count('approvals.proposal', `id = ${late.id} and state = 'withdrawn'`)).toBe(1);
  }
});

test('approvals and invitations from the server wait for a decision about operators that is under way', async () => {
  const [proposer, approver] = [await world.make('admin'), await world.make('admin')];
  const { id } = await world.invite(proposer, 'finance');
  const actor = await world.actor(approver);
  const release = await holdOpen(world.context.db, lockDecisions);
  const order: string[] = [];
  const begun: Promise<unknown>[] = [];
  for (const begin of [
    () => approveOperatorChange(world.context, actor, id),
    () => inviteFromServer(world.context, { name: 'Vera', email: 'vera@mail.test', role: 'support' }),
  ]) {
    begun.push(begin().then(() => order.push('done')));
    const waits = waitFor(async () => (await countLockWaits(world.context.db)) === begun.length, 'it waits');
    await Promise.race([...begun, waits.catch(() => {})]);
  }
  order.push('released');
  await release();
  await Promise.all(begun);
  expect(order).toEqual(['released', 'done', 'done']);
});

test('twenty workers execute a due proposal once, and one that is withdrawn meanwhile never', async () => {
  const [proposer, approver] = [await world.make('admin'), await world.make('admin')];
  for (let round = 0; round < ROUNDS; round += 1) {
    const email = `due${round}@mail.test`;
    const { id } = await world.invite(proposer, 'finance', email);
    await approveOperatorChange(world.context, await world.actor(approver), id);
    world.clock.advance(DAY);
    const withdrawer = await world.actor(approver);
    const { done } = await atOnce([
      ...times(20, world.executeDue),
      ...(round % 2 === 0 ? [] : [() => withdrawOperatorChange(world.context, withdrawer, id)]),
    ]);
    const made = await world.count('identity.operator', `email = '${email}'`);
    const carried = done.filter((number) => typeof number === 'number').reduce((sum, number) => sum + number, 0);
    expect(made).toBe(round % 2 === 0 ? 1 : carried);
    const ended = `id = ${id} and state in ('posted', 'withdrawn')`;
    expect(await world.count('approvals.proposal', ended)).toBe(1);
    expect((await world.emailsTo(email)).length).toBe(made);
  }
});

test('an operator who is disabled while signing in has no sign-in afterwards', async () => {
  const admin = await world.make('admin');
  for (let round = 0; round < ROUNDS * 2; round += 1) {
    world.clock.advance(DAY);
    const operator = await world.make(round % 2 === 0 ? 'finance' : 'support');
    const signIn = () =>
      signInOperator(world.context, {
        email: operator.email,
        password: OPERATOR_PASSWORD,
        userAgent: firefox,
        address,
      });
    const begun = await signIn();
    const challenge = 'challenge' in begun ? begun.challenge : 'none';
    const otp = await operator.code();
    await atOnce([
      () => verifyOperatorOtp(world.context, { challenge, otp, userAgent: firefox, address }),
      await disable(admin, operator.operatorId),
      ...times(round % 3, signIn),
    ]);
    expect(await world.count('identity.auth_session', `operator_id = ${operator.operatorId}`)).toBe(0);
    expect(await world.count('identity.sign_in_challenge', `operator_id = ${operator.operatorId}`)).toBe(0);
    expect(await findCaller(world.context, operator.token)).toBeUndefined();
  }
});

test('a link used twenty times concurrently sets one password and starts one sign-in', async () => {
  const admin = await world.make('admin');
  await world.invite(admin, 'support', 'olga@mail.test');
  const token = await world.tokenFor('olga@mail.test');
  const { done, refused } = await atOnce(times(20, (index) => world.accept(token, `seven tidal creeks ${index}`)));
  expect(done).toHaveLength(1);
  expect(new Set(refused)).toEqual(new Set(['invitation_over']));
  expect(await world.count('identity.auth_session', `operator_id = ${done[0]?.operator.id}`)).toBe(1);
});

test.each(['an admin', 'the server'])(
  'a link accepted while %s sends it again is followed by no other',
  async (from) => {
    const admin = await world.make('admin');
    const email = `nils.${from.replace(' ', '.')}@mail.test`;
    const { resultId } = await world.invite(admin, 'support', email);
    const operatorId = resultId as bigint;
    const actor = await world.actor(admin);
    const resend = (): Promise<unknown> =>
      from === 'the server'
        ? inviteFromServer(world.context, { name: 'Nils', email, role: 'support' })
        : resendInvitation(world.context, actor, operatorId);
    const resent = await inTransaction(world.context.db, async (tx) => {
      // Held by the acceptance until it commits.
      await insertPassword(tx, operatorId, 'a hash', world.context.now());
      const sending = resend().catch((error: Error) => error);
      await waitFor(async () => (await countLockWaits(world.context.db)) === 1, 'sending waits for the account');
      return { sending };
    });
    // From the server the account is reset instead, as any that is in use.
    expect(await resent.sending).toMatchObject(
      from === 'the server' ? { resetAt: expect.any(Date) } : { code: 'operator_not_invited' },
    );
  },
);

test('of two changes of one’s own password at the same time one succeeds', async () => {
  const operator = await world.make('support');
  const caller = (await findCaller(world.context, operator.token)) as OperatorCaller;
  const change = async (password: string) => {
    const otp = await operator.code();
    return changeOperatorPassword(world.context, caller, {
      currentPassword: OPERATOR_PASSWORD,
      password,
      otp,
      address,
    });
  };
  const release = await holdOpen(world.context.db, (tx) => lockOperator(tx, operator.operatorId));
  const changes: Promise<void>[] = [];
  for (const password of ['seven tidal creeks', 'nine tidal creeks']) {
    changes.push(change(password));
    await waitFor(async () => (await countLockWaits(world.context.db)) === changes.length, 'the change waits');
  }
  await release();
  const { done, refused } = await atOnce(changes);
  expect(done).toHaveLength(1);
  expect(refused).toEqual(['wrong_password']);
});
