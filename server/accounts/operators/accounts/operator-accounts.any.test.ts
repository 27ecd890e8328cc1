import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorAccounts } from '#contract/accounts/operators.ts';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { OPERATOR_PASSWORD, type TestOperator, wrongCode } from '#test/worlds/operators.ts';
import { address, firefox } from '../../accounts-world.test-setup.ts';
import { findCaller, findOperator, purgeExpired, signInOperator } from '../../index.ts';
import { verifyOperatorOtp } from '../../sign-in/sign-in-operator.ts';
import { changeOperatorRole, disableOperator } from './change-operator.ts';
import type { AdminActor } from './decide.ts';
import { getInvitation, resendInvitation } from './invitations.ts';
import { NEW_PASSWORD, openOperators } from './operator-accounts.test-setup.ts';
import { approveOperatorChange, resetOperator, withdrawOperatorChange } from './operator-change.ts';
import { listOperatorProposals } from './show-operators.ts';

let world: Awaited<ReturnType<typeof openOperators>>;
beforeEach(async () => {
  world = await openOperators();
});
afterEach(() => world.close());

const HOUR = 3600;
const refused = (code: string) => ({ code });
const signIn = (email: string, password = OPERATOR_PASSWORD) =>
  signInOperator(world.context, { email, password, userAgent: firefox, address });
const makeAll = async <Roles extends OperatorRole[]>(...roles: Roles) => {
  const made: TestOperator[] = [];
  for (const role of roles) made.push(await world.make(role));
  return made as { [At in keyof Roles]: TestOperator };
};
/** An admin’s action, with a fresh code. */
const by =
  <About, Done>(act: (context: Context, actor: AdminActor, about: About) => Promise<Done>) =>
  async (admin: TestOperator, about: About): Promise<Done> =>
    act(world.context, await world.actor(admin), about);
const approve = by(approveOperatorChange);
const withdraw = by(withdrawOperatorChange);
const disable = by(disableOperator);
const reset = by(resetOperator);
const resend = by(resendInvitation);
const changeRole = by(changeOperatorRole);

describe('with a single admin', () => {
  test('an invitation is emailed at once, sets a password once, and the second factor comes next', async () => {
    const admin = await world.make('admin');
    const proposal = await world.invite(admin, 'admin', 'olga@mail.test');
    expect(proposal).toMatchObject({ needsApproval: false, approvedBy: null });
    expect(proposal).toMatchObject({ state: 'posted', endedAt: world.context.now() });
    expect(await world.stateOf('olga@mail.test')).toBe('invited');
    const token = await world.tokenFor('olga@mail.test');
    expect(await getInvitation(world.context, token)).toMatchObject({ name: 'Olga Berg', role: 'admin' });
    await expect(world.accept(token, 'password123')).rejects.toMatchObject(refused('weak_password'));
    const { accessToken, missing } = await world.accept(token);
    expect(missing).toBe('any');
    expect(await findCaller(world.context, accessToken)).toMatchObject({ role: 'admin', hasSecondFactor: false });
    expect(await world.stateOf('olga@mail.test')).toBe('setting_up');
    await expect(world.accept(token)).rejects.toMatchObject(refused('invitation_over'));
    expect(await signIn('olga@mail.test', NEW_PASSWORD)).toMatchObject({ missing: 'any' });
  });

  test('an admin who never accepted does not count as the second one', async () => {
    const admin = await world.make('admin');
    const first = await world.invite(admin, 'admin', 'olga@mail.test');
    expect((await world.invite(admin, 'finance')).needsApproval).toBe(false);
    await world.settle('olga@mail.test');
    expect(await world.stateOf('olga@mail.test')).toBe('active');
    expect((await world.invite(admin, 'finance')).needsApproval).toBe(true);
    expect(await world.listActions(`operator:${first.resultId}`)).toEqual([
      'operator.invite',
      'operator.accept_invitation',
      'operator.sign_in',
      'operator.start_second_factor',
      'operator.confirm_second_factor',
    ]);
  });

  test('nor does one who was raised before they had a second factor', async () => {
    const admin = await world.make('admin');
    const { resultId } = await world.invite(admin, 'finance', 'olga@mail.test');
    const raise = { operatorId: resultId as bigint, role: 'admin', why: 'second admin' } as const;
    expect(await changeRole(admin, raise)).toMatchObject({ state: 'posted' });
    expect((await world.invite(admin, 'finance')).needsApproval).toBe(false);
    await world.settle('olga@mail.test');
    expect((await world.invite(admin, 'finance')).needsApproval).toBe(true);
  });

  test('a finance account is notified to every operator, a support account to the invited one alone', async () => {
    const [admin, finance] = await makeAll('admin', 'finance');
    await world.invite(admin, 'support');
    expect(await world.subjectsTo(finance)).toEqual([]);
    await world.invite(admin, 'finance');
    expect(await world.subjectsTo(finance)).toEqual(['change proposed', 'change executed']);
    expect(await world.subjectsTo(admin)).toEqual(['change executed', 'change proposed', 'change executed']);
  });
});

describe('an invitation', () => {
  test('expires after 48 hours, and a new link invalidates the old one', async () => {
    const admin = await world.make('admin');
    const { resultId: operatorId } = await world.invite(admin, 'support', 'olga@mail.test');
    const first = await world.tokenFor('olga@mail.test');
    world.clock.advance(48 * HOUR);
    await expect(getInvitation(world.context, first)).rejects.toMatchObject(refused('invitation_over'));
    await expect(world.accept(first)).rejects.toMatchObject(refused('invitation_over'));
    await resend(admin, operatorId as bigint);
    const second = await world.tokenFor('olga@mail.test');
    await expect(world.accept(first)).rejects.toMatchObject(refused('invitation_over'));
    world.clock.advance(48 * HOUR - 1);
    await purgeExpired(world.context);
    await world.accept(second);
    await expect(resend(admin, operatorId as bigint)).rejects.toMatchObject(refused('operator_not_invited'));
  });

  test('is not sent again to the admin who requests it, as its row shows', async () => {
    const admin = await world.make('admin');
    await expect(resend(admin, admin.operatorId)).rejects.toMatchObject(refused('own_operator_account'));
    expect(operatorAccounts.resendInvitation.refusals).toContain('own_operator_account');
  });

  test('is sent to no existing operator, and not twice', async () => {
    const [admin, other] = await makeAll('admin', 'admin');
    await expect(world.invite(admin, 'support', other.email.toUpperCase())).rejects.toMatchObject(
      refused('operator_exists'),
    );
    await world.invite(admin, 'finance', 'olga@mail.test');
    await expect(world.invite(other, 'support', 'Olga@mail.test')).rejects.toMatchObject(refused('proposal_waiting'));
  });

  test('requires a fresh authenticator code, and does nothing without', async () => {
    const admin = await world.make('admin');
    const otp = await admin.code();
    const wrong = { operatorId: admin.operatorId, otp: wrongCode(otp), address };
    await expect(disableOperator(world.context, wrong, { operatorId: 1n, why: 'x' })).rejects.toMatchObject(
      refused('wrong_second_factor'),
    );
    const finance = await world.make('finance');
    await expect(world.invite(finance, 'support')).rejects.toMatchObject(refused('not_allowed'));
  });
});

describe('once there have been two admins', () => {
  test('a finance account waits for a second admin and then for 24 hours, and every operator is emailed', async () => {
    const [proposer, approver, support] = await makeAll('admin', 'admin', 'support');
    const { id } = await world.invite(proposer, 'finance', 'olga@mail.test');
    world.clock.advance(100 * HOUR);
    expect(await world.executeDue()).toBe(0);
    await expect(approve(proposer, id)).rejects.toMatchObject(refused('own_proposal'));
    const approved = await approve(approver, id);
    expect(approved.dueAt).toEqual(new Date(world.context.now().getTime() + 24 * HOUR * 1000));
    await expect(approve(approver, id)).rejects.toMatchObject(refused('proposal_not_waiting'));
    world.clock.advance(24 * HOUR - 1);
    expect(await world.executeDue()).toBe(0);
    expect(await world.stateOf('olga@mail.test')).toBeUndefined();
    world.clock.advance(1);
    expect(await world.executeDue()).toBe(1);
    expect(await world.executeDue()).toBe(0);
    expect(await world.stateOf('olga@mail.test')).toBe('invited');
    const told = ['change proposed', 'change approved', 'change executed'];
    for (const operator of [proposer, approver, support]) expect(await world.subjectsTo(operator)).toEqual(told);
    expect(await world.listActions(`operator_proposal:${id}`)).toEqual([
      'operator.propose',
      'operator.approve_proposal',
    ]);
    await world.settle('olga@mail.test');
    expect(await world.stateOf('olga@mail.test')).toBe('active');
  });

  test('the operator an approved change is about is emailed, though disabled', async () => {
    const [proposer, approver, finance] = await makeAll('admin', 'admin', 'finance');
    await disable(proposer, { operatorId: finance.operatorId, why: 'left us' });
    await approve(approver, (await world.invite(proposer, 'finance', finance.email)).id);
    expect(await world.subjectsTo(finance)).toEqual(['account disabled', 'change approved']);
  });

  test('a support account still needs one admin', async () => {
    const [admin] = await makeAll('admin', 'admin');
    expect(await world.invite(admin, 'support', 'olga@mail.test')).toMatchObject({ needsApproval: false });
    expect(await world.stateOf('olga@mail.test')).toBe('invited');
  });

  test('an admin who disables the only other one still cannot make a third alone', async () => {
    const [left, gone] = await makeAll('admin', 'admin');
    await disable(left, { operatorId: gone.operatorId, why: 'left us' });
    expect((await world.invite(left, 'finance')).needsApproval).toBe(true);
  });

  test('a higher role is granted the same way, never by oneself, and ends the operator’s sign-ins', async () => {
    const [proposer, approver, finance] = await makeAll('admin', 'admin', 'finance');
    const raise = { operatorId: finance.operatorId, role: 'admin', why: 'third admin' } as const;
    const proposal = await changeRole(proposer, raise);
    expect(proposal).toMatchObject({ payload: { kind: 'raise' }, needsApproval: true, dueAt: null });
    const id = proposal?.id as bigint;
    await approve(approver, id);
    world.clock.advance(24 * HOUR);
    const { challenge } = (await signIn(finance.email)) as { challenge: string };
    const whole = await verifyOperatorOtp(world.context, {
      challenge,
      otp: await finance.code(),
      userAgent: firefox,
      address,
    });
    expect(await findCaller(world.context, whole.accessToken)).toMatchObject({ role: 'finance' });
    expect(await world.executeDue()).toBe(1);
    expect(await findCaller(world.context, whole.accessToken)).toBeUndefined();
    expect(await findOperator(world.database.db, finance.operatorId)).toMatchObject({ role: 'admin' });
  });

  test('a change that cannot be executed is reported and waits, and delays no other', async () => {
    const [proposer, approver, finance] = await makeAll('admin', 'admin', 'finance');
    const raise = { operatorId: finance.operatorId, role: 'admin', why: 'third admin' } as const;
    const id = (await changeRole(proposer, raise))?.id as bigint;
    await approve(approver, id);
    await approve(approver, (await world.invite(proposer, 'finance', 'olga@mail.test')).id);
    // In the database, past the call that would have withdrawn the change.
    await sql`update identity.operator set disabled_at = now() where id = ${finance.operatorId}`.execute(
      world.context.db,
    );
    world.clock.advance(24 * HOUR);
    await expect(world.executeDue()).rejects.toThrow(`Proposals that could not be executed (${id}): 1`);
    expect(await world.stateOf('olga@mail.test')).toBe('invited');
    await sql`update identity.operator set disabled_at = null where id = ${finance.operatorId}`.execute(
      world.context.db,
    );
    expect(await world.executeDue()).toBe(1);
    expect(await findOperator(world.database.db, finance.operatorId)).toMatchObject({ role: 'admin' });
  });

  test('a lower role needs one admin and applies at once; nobody demotes themselves or repeats a role', async () => {
    const [admin, other] = await makeAll('admin', 'admin');
    const change = async (operatorId: bigint, role: 'finance' | 'admin') =>
      changeRole(admin, { operatorId, role, why: 'less to do' });
    await expect(change(admin.operatorId, 'finance')).rejects.toMatchObject(refused('own_operator_account'));
    await expect(change(other.operatorId, 'admin')).rejects.toMatchObject(refused('role_held'));
    await expect(change(99n, 'admin')).rejects.toMatchObject(refused('operator_not_found'));
    expect(await change(other.operatorId, 'finance')).toBeNull();
    expect(await findOperator(world.database.db, other.operatorId)).toMatchObject({ role: 'finance' });
    expect(await findCaller(world.context, other.token)).toBeUndefined();
    expect(await world.subjectsTo(other)).toEqual(['role lowered']);
  });

  test('a reset ends what the operator proposed or approved, and none of it is executed', async () => {
    const [proposer, approver, lost] = await makeAll('admin', 'admin', 'admin');
    const proposed = await world.invite(lost, 'finance', 'proposed@mail.test');
    const approved = await world.invite(proposer, 'finance', 'approved@mail.test');
    await approve(approver, proposed.id);
    await approve(lost, approved.id);
    const { id } = await reset(proposer, { operatorId: lost.operatorId, why: 'lost the phone' });
    await approve(approver, id);
    world.clock.advance(24 * HOUR);
    expect(await world.executeDue()).toBe(0);
    expect([await world.stateOf('proposed@mail.test'), await world.stateOf('approved@mail.test')]).toEqual([
      undefined,
      undefined,
    ]);
    const ended = `id in (${proposed.id}, ${approved.id}) and ended_by = ${approver.operatorId}`;
    expect(await world.count('approvals.proposal', ended)).toBe(2);
    expect(await world.stateOf(lost.email)).toBe('invited');
  });

  test('a reset needs a second admin, then removes password and app and emails a new link', async () => {
    const [proposer, approver, target, support] = await makeAll('admin', 'admin', 'admin', 'support');
    await reset(proposer, { operatorId: support.operatorId, why: 'lost the phone' });
    expect(await world.subjectsTo(target)).toEqual(['change proposed']);
    const { id } = await reset(proposer, { operatorId: target.operatorId, why: 'lost the phone' });
    await expect(approve(target, id)).rejects.toMatchObject(refused('own_proposal'));
    expect(await findCaller(world.context, target.token)).toBeDefined();
    const done = await approve(approver, id);
    expect(done).toMatchObject({ state: 'posted', endedAt: world.context.now() });
    const told = await world.emailsTo(proposer.email);
    expect(told.find(({ subject }) => subject.endsWith('change approved'))?.text).toContain('executed at once');
    expect(await findCaller(world.context, target.token)).toBeUndefined();
    await expect(signIn(target.email)).rejects.toMatchObject(refused('wrong_operator_login'));
    expect(await world.stateOf(target.email)).toBe('invited');
    await world.settle(target.email);
    expect(await world.stateOf(target.email)).toBe('active');
    expect((await world.listActions(`operator:${target.operatorId}`)).slice(-5)).toEqual([
      'operator.reset',
      'operator.accept_invitation',
      'operator.sign_in',
      'operator.start_second_factor',
      'operator.confirm_second_factor',
    ]);
  });
});

describe('a proposal is withdrawn', () => {
  test('by any admin until it is executed, even once approved', async () => {
    const [proposer, approver] = await makeAll('admin', 'admin');
    const { id } = await world.invite(proposer, 'finance', 'olga@mail.test');
    await approve(approver, id);
    world.clock.advance(24 * HOUR);
    const back = await withdraw(approver, id);
    expect(back).toMatchObject({ state: 'withdrawn', endedBy: approver.operatorId });
    expect(await world.executeDue()).toBe(0);
    expect(await world.stateOf('olga@mail.test')).toBeUndefined();
    await expect(withdraw(proposer, id)).rejects.toMatchObject(refused('proposal_ended'));
    await expect(approve(approver, id)).rejects.toMatchObject(refused('proposal_not_waiting'));
    await expect(withdraw(proposer, 99n)).rejects.toMatchObject(refused('proposal_not_found'));
    await expect(approve(proposer, 99n)).rejects.toMatchObject(refused('proposal_not_found'));
    await world.invite(proposer, 'finance', 'olga@mail.test');
  });

  test('with the admin who approved it and is lowered before it is executed', async () => {
    const [proposer, approver] = await makeAll('admin', 'admin');
    await approve(approver, (await world.invite(proposer, 'finance', 'olga@mail.test')).id);
    await changeRole(proposer, { operatorId: approver.operatorId, role: 'finance', why: 'less to do' });
    world.clock.advance(24 * HOUR);
    expect(await world.executeDue()).toBe(0);
    expect(await world.stateOf('olga@mail.test')).toBeUndefined();
  });

  test('with the operator who proposed it, approved it or is its subject', async () => {
    const [admin, proposer, approver, finance] = await makeAll('admin', 'admin', 'admin', 'finance');
    const proposed = await world.invite(proposer, 'finance');
    const approved = await world.invite(admin, 'finance');
    await approve(approver, approved.id);
    await changeRole(admin, { operatorId: finance.operatorId, role: 'admin', why: 'third admin' });
    const openIds = async () => {
      const page = await listOperatorProposals(world.context, admin.operatorId, { limit: 10, isOpen: true });
      return page.items.map(({ id }) => BigInt(id));
    };
    expect(await openIds()).toHaveLength(3);
    for (const [{ operatorId }, left] of [
      [finance, [approved.id, proposed.id]],
      [proposer, [approved.id]],
      [approver, []],
    ] as const) {
      await disable(admin, { operatorId, why: 'no longer trusted' });
      expect(await openIds()).toEqual(left);
    }
  });
});

describe('a disabled operator', () => {
  test('is signed out at once, cannot sign in, and is notified; nobody disables themselves', async () => {
    const [admin, other, support] = await makeAll('admin', 'admin', 'support');
    const { challenge } = (await signIn(other.email)) as { challenge: string };
    const leave = (operatorId: bigint) => disable(admin, { operatorId, why: 'left us' });
    await leave(other.operatorId);
    expect(await findCaller(world.context, other.token)).toBeUndefined();
    await expect(signIn(other.email)).rejects.toMatchObject(refused('wrong_operator_login'));
    await expect(
      verifyOperatorOtp(world.context, { challenge, otp: '123456', userAgent: firefox, address }),
    ).rejects.toMatchObject(refused('wrong_second_factor'));
    for (const one of [other, support]) expect(await world.subjectsTo(one)).toEqual(['account disabled']);
    await expect(leave(other.operatorId)).rejects.toMatchObject(refused('operator_disabled'));
    await expect(leave(admin.operatorId)).rejects.toMatchObject(refused('own_operator_account'));
    expect(await world.stateOf(other.email)).toBe('disabled');
  });

  test('returns by a new invitation only, under the old id and with nothing of the old sign-in', async () => {
    const admin = await world.make('admin');
    const support = await world.make('support');
    const about = { operatorId: support.operatorId, why: 'on leave' };
    await disable(admin, about);
    await expect(reset(admin, about)).rejects.toMatchObject(refused('operator_disabled'));
    const { resultId: operatorId } = await world.invite(admin, 'support', support.email);
    expect(operatorId).toBe(support.operatorId);
    await expect(signIn(support.email)).rejects.toMatchObject(refused('wrong_operator_login'));
    await world.settle(support.email);
    expect(await world.stateOf(support.email)).toBe('active');
  });

  test('has an invitation that no longer works', async () => {
    const admin = await world.make('admin');
    const { resultId: operatorId } = await world.invite(admin, 'support', 'olga@mail.test');
    const token = await world.tokenFor('olga@mail.test');
    const about = { operatorId: operatorId as bigint, why: 'a mistake' };
    await disable(admin, about);
    await expect(world.accept(token)).rejects.toMatchObject(refused('invitation_over'));
  });
});

test('the list of proposals shows who did what and who may approve, newest first, page by page', async () => {
  const [proposer, approver] = await makeAll('admin', 'admin');
  const first = await world.invite(proposer, 'finance', 'a@mail.test');
  const second = await world.invite(proposer, 'admin', 'b@mail.test');
  await approve(approver, first.id);
  const list = (selfId: bigint, page: { cursor?: string; limit: number }) =>
    listOperatorProposals(world.context, selfId, { ...page, isOpen: false });
  const page = await list(approver.operatorId, { limit: 1 });
  expect(page).toMatchObject({
    items: [{ id: second.id.toString(), state: 'waiting', may_approve: true, proposed_by: { name: 'Op admin' } }],
    next_cursor: second.id.toString(),
  });
  const rest = await list(approver.operatorId, { limit: 1, cursor: page.next_cursor as string });
  expect(rest).toMatchObject({
    items: [{ state: 'approved', may_approve: false, approved_by: { id: approver.operatorId.toString() } }],
    next_cursor: null,
  });
  const mayApprove = async (selfId: bigint, limit: number) =>
    (await list(selfId, { limit })).items.map((item) => item.may_approve);
  expect(await mayApprove(proposer.operatorId, 2)).toEqual([false, false]);
  await reset(proposer, { operatorId: approver.operatorId, why: 'lost the phone' });
  expect(await mayApprove(approver.operatorId, 1)).toEqual([false]);
  await expect(list(proposer.operatorId, { limit: 1, cursor: 'x' })).rejects.toMatchObject(refused('validation'));
});
