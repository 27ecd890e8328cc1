import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LooseningKind } from '#contract/operator/loosenings.ts';
import { freezeMember, setVerified } from '#server/accounts/index.ts';
import { disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { withdrawProposal } from '#server/approvals/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { openConsoleWorld, type Person } from '#test/worlds/console-world.ts';
import { actorOf, makeOperator, type TestOperator, wrongCode } from '#test/worlds/operators.ts';
import { freezeWithdrawals } from '../withdrawals/freeze-withdrawals.ts';
import { executeDueLoosenings, looseningKind, proposeLoosening } from './loosening.ts';

const world = closeAfterAll(await openConsoleWorld());
const { context } = world;
const at = 'operator/loosenings';
const system = { actor: { kind: 'system', id: null }, why: 'test' } as const;

const restrict = (memberId: bigint, what: LooseningKind) =>
  inTransaction(context.db, async (tx) => {
    const now = world.clock.now();
    if (what === 'unfreeze') await freezeMember(tx, { memberId, now, ...system });
    if (what === 'lift_withdrawal_stop') {
      await freezeWithdrawals(tx, context, { memberId, cause: 'not_me', ...system });
    }
    if (what === 'verify') await setVerified(tx, { memberId, verified: false, now, ...system });
  });
const propose = async (who: TestOperator, memberId: bigint, what: LooseningKind, otp?: string) =>
  world.send(who, 'POST', at, {
    member_id: memberId.toString(),
    what,
    reason: 'spoken with',
    otp: otp ?? (await who.code()),
  });
const approve = async (who: TestOperator, id: string) =>
  world.send(who, 'POST', `${at}/${id}/approve`, { version: 1, otp: await who.code() });
const isRestricted = async (memberId: bigint, what: LooseningKind): Promise<boolean> => {
  const { member } = (await world.get(world.support, `operator/members/${memberId}`)).body.data;
  if (what === 'unfreeze') return member.frozen_at !== null;
  return what === 'verify' ? member.verified_at === null : member.withdrawals_frozen !== null;
};
const openOf = async (memberId: bigint) =>
  (await world.get(world.support, `operator/members/${memberId}`)).body.data.loosenings;
const stateOf = async (id: string) =>
  (await world.get(world.support, `${at}?limit=100`)).body.data.items.find((row: { id: string }) => row.id === id)
    ?.state;
const toldOf = async ({ memberId }: Person) =>
  (
    await world.select<{ kind: string }>(sql`
      select kind from notify.notification where member_id = ${memberId} and kind <> 'new_device' order by id`)
  ).map(({ kind }) => kind);

/** For each restriction: the support call that imposes it again, the member's notification and the audit action. */
const sorts = {
  unfreeze: {
    path: 'frozen',
    body: { frozen: true },
    told: ['account_frozen', 'account_released'],
    action: 'member.unfreeze',
  },
  lift_withdrawal_stop: {
    path: 'withdrawals-frozen',
    body: { frozen: true },
    told: ['withdrawals_frozen', 'withdrawals_released'],
    action: 'member.release_withdrawals',
  },
  verify: { path: 'verified', body: { verified: false }, told: ['account_verified'], action: 'member.verify' },
} as const;

describe.each(Object.entries(sorts) as [keyof typeof sorts, (typeof sorts)[keyof typeof sorts]][])(
  '%s',
  (what, sort) => {
    const { finance, second, support, admin } = world;
    let member: Person;
    beforeEach(async () => {
      member = await world.addMember();
      await restrict(member.memberId, what);
    });
    const again = () =>
      world.send(support, 'PUT', `operator/members/${member.memberId}/${sort.path}`, {
        ...sort.body,
        why: 'stolen phone',
      });

    test('takes two: a proposal changes and notifies nothing, the second operator’s approval lifts it and notifies', async () => {
      const { memberId } = member;
      const made = await propose(finance, memberId, what);
      expect(made).toMatchObject(
        success({ what, state: 'proposed', due_at: null, member: { id: memberId.toString() } }),
      );
      const { id } = made.body.data;
      expect(await isRestricted(memberId, what)).toBe(true);
      expect(await toldOf(member)).toEqual(sort.told.slice(0, -1));
      expect(await openOf(memberId)).toMatchObject([{ id, what, proposed_by: { name: 'Op finance' } }]);
      expect(await approve(finance, id)).toMatchObject(refusal(403, 'own_proposal'));
      expect(await approve(support, id)).toMatchObject(refusal(403, 'not_allowed'));
      expect(await approve(second, id)).toMatchObject({ status: 200, body: { data: { state: 'posted' } } });
      expect(await isRestricted(memberId, what)).toBe(false);
      expect(await toldOf(member)).toEqual(sort.told);
      expect(await openOf(memberId)).toEqual([]);
      const entries = await world.select<object>(sql`
      select action, actor_id, subject, after ->> 'why' as why from audit.entry
      where subject = ${`loosening:${id}`} or (subject = ${`member:${memberId}`} and action = ${sort.action}) order by id`);
      expect(entries).toEqual([
        { action: 'loosening.propose', actor_id: finance.operatorId, subject: `loosening:${id}`, why: null },
        { action: sort.action, actor_id: second.operatorId, subject: `member:${memberId}`, why: 'spoken with' },
        { action: 'loosening.approve', actor_id: second.operatorId, subject: `loosening:${id}`, why: null },
      ]);
    });

    test('put up again by support, whose reason is logged, it is not lifted by what was proposed before', async () => {
      const { memberId } = member;
      const { id } = (await propose(finance, memberId, what)).body.data;
      expect(await again()).toMatchObject({ status: 200 });
      expect(await stateOf(id)).toBe('withdrawn');
      expect(await approve(second, id)).toMatchObject(refusal(409, 'proposal_decided'));
      expect(await isRestricted(memberId, what)).toBe(true);
      const [entry] = await world.select<object>(sql`
      select actor_id, after from audit.entry where subject = ${`loosening:${id}`} and action = 'loosening.withdraw'`);
      expect(entry).toEqual({
        actor_id: support.operatorId,
        after: { state: 'withdrawn', memberId: memberId.toString(), what, why: 'stolen phone' },
      });
      // Then it is proposed anew.
      expect(await propose(finance, memberId, what)).toMatchObject({ body: { data: { state: 'proposed' } } });
    });

    test('waits once, and is not proposed when there is nothing to lift', async () => {
      const { memberId } = member;
      await propose(finance, memberId, what);
      expect(await propose(second, memberId, what)).toMatchObject(refusal(409, 'proposal_waiting'));
      const { id } = (await openOf(memberId))[0];
      await approve(admin, id);
      expect(await propose(second, memberId, what)).toMatchObject(refusal(409, 'nothing_to_lift'));
    });

    test('is proposed with a code, by finance and admins, about members', async () => {
      const { memberId } = member;
      const wrong = wrongCode(await finance.code());
      expect(await propose(finance, memberId, what, wrong)).toMatchObject(refusal(422, 'wrong_second_factor'));
      expect(await propose(support, memberId, what)).toMatchObject(refusal(403, 'not_allowed'));
      expect(await propose(finance, 999_999n, what)).toMatchObject(refusal(404, 'not_found'));
      const [company] = await world.select<{ id: bigint }>(sql`select id from identity.member where is_company`);
      expect(await propose(finance, company?.id as bigint, what)).toMatchObject(refusal(404, 'not_found'));
      const body = { member_id: memberId.toString(), what, reason: '', otp: '123456' };
      expect(await world.send(finance, 'POST', at, body)).toMatchObject(refusal(422, 'validation'));
      expect(await world.app.ask('POST', at, { body })).toMatchObject(refusal(401, 'session_required'));
      expect(await isRestricted(memberId, what)).toBe(true);
    });

    test('is neither proposed nor approved by the member themselves', async () => {
      const own = await makeOperator(context, 'finance');
      await sql`update identity.member set email = upper(${own.email}) where id = ${member.memberId}`.execute(
        context.db,
      );
      expect(await propose(own, member.memberId, what)).toMatchObject(refusal(403, 'own_proposal'));
      const { id } = (await propose(finance, member.memberId, what)).body.data;
      expect(await approve(own, id)).toMatchObject(refusal(403, 'own_proposal'));
    });
  },
);

test('a stop that is younger than the proposal is not lifted by it', async () => {
  const { memberId } = await world.addMember();
  await restrict(memberId, 'lift_withdrawal_stop');
  const { id } = (await propose(world.finance, memberId, 'lift_withdrawal_stop')).body.data;
  await sql`update funds.withdrawal_freeze set frozen_at = ${new Date(world.clock.now().getTime() + 1)}
    where member_id = ${memberId}`.execute(context.db);
  expect(await approve(world.second, id)).toMatchObject({ status: 200, body: { data: { state: 'withdrawn' } } });
  expect(await isRestricted(memberId, 'lift_withdrawal_stop')).toBe(true);
});

describe('of several restrictions', () => {
  test.each([
    ['unfreeze', 'lift_withdrawal_stop'],
    ['lift_withdrawal_stop', 'unfreeze'],
  ] as const)('%s lifts one, and no email promises more', async (what, other) => {
    const { memberId } = await world.addMember();
    await restrict(memberId, what);
    await restrict(memberId, other);
    await approve(world.second, (await propose(world.finance, memberId, what)).body.data.id);
    expect(await isRestricted(memberId, other)).toBe(true);
    const [mail] = await world.select<{ text: string }>(sql`
      select subject || text as text from notify.mail where member_id = ${memberId} order by id desc limit 1`);
    expect(mail?.text).toContain('stays in force');
    expect(mail?.text).not.toMatch(/withdraw again|can withdraw/);
  });
});

describe('with one operator who may', async () => {
  const HOURS_24 = 24 * 3600;
  const openAlone = async () => {
    const alone = await openConsoleWorld();
    const by = async () => ({
      operatorId: alone.admin.operatorId,
      otp: await alone.admin.code(),
      address: '127.0.0.1',
    });
    for (const { operatorId } of [alone.finance, alone.second]) {
      await disableOperator(alone.context, await by(), { operatorId, why: 'left' });
    }
    return alone;
  };
  const alone = closeAfterAll(await openAlone());
  const { admin } = alone;
  const live = { ...alone.context, config: { ...alone.context.config, mode: 'live' as const } };
  const actor = actorOf(admin);
  const frozen = async () => {
    const { memberId } = await alone.addMember();
    await inTransaction(alone.context.db, (tx) => freezeMember(tx, { memberId, now: alone.clock.now(), ...system }));
    return memberId;
  };
  const proposeIn = async (memberId: bigint, context = alone.context, what: LooseningKind = 'unfreeze') =>
    proposeLoosening(context, actor, {
      member_id: memberId.toString(),
      what,
      reason: 'alone',
      otp: await admin.code(),
    });
  const frozenAt = async (memberId: bigint) =>
    (
      await alone.select<{ frozen_at: Date | null }>(sql`select frozen_at from identity.member where id = ${memberId}`)
    )[0]?.frozen_at;
  const due = () => executeDueLoosenings(alone.context);

  test('it is executed after 24 hours, not a second earlier, and once', async () => {
    const memberId = await frozen();
    const dueAt = new Date(alone.clock.now().getTime() + HOURS_24 * 1000).toISOString();
    expect(await proposeIn(memberId)).toMatchObject({ state: 'approved', due_at: dueAt });
    const [entry] = await alone.select<{ after: object }>(sql`
      select after from audit.entry where action = 'loosening.propose' order by id desc limit 1`);
    expect(entry?.after).toMatchObject({ needsApproval: false, dueAt });
    await expect(proposeIn(memberId)).rejects.toMatchObject({ code: 'proposal_waiting' });
    alone.clock.advance(HOURS_24 - 1);
    expect(await due()).toBe(0);
    expect(await frozenAt(memberId)).not.toBeNull();
    alone.clock.advance(1);
    expect(await due()).toBe(1);
    expect(await due()).toBe(0);
    expect(await frozenAt(memberId)).toBeNull();
  });

  test('it is withdrawn meanwhile, also by a colleague who came since, or ended by another freeze', async () => {
    const [first, again] = [await frozen(), await frozen()];
    const id = BigInt((await proposeIn(first)).id);
    await proposeIn(again);
    const { operatorId } = await makeOperator(alone.context, 'finance');
    const colleague = { operatorId, address: '127.0.0.1' };
    const withdrawn = withdrawProposal(alone.context, looseningKind, colleague, { id, version: 1 });
    expect(await withdrawn).toMatchObject({ state: 'withdrawn', endedBy: operatorId });
    await inTransaction(alone.context.db, (tx) =>
      freezeMember(tx, { memberId: again, now: alone.clock.now(), ...system }),
    );
    alone.clock.advance(HOURS_24);
    expect(await due()).toBe(0);
    expect([await frozenAt(first), await frozenAt(again)]).not.toContain(null);
    const by = { ...actor, otp: await admin.code() };
    await disableOperator(alone.context, by, { operatorId, why: 'left' });
  });

  test('two-factor authentication waits a week, and the member is told at once, and if it is withdrawn', async () => {
    const { memberId } = await alone.addMember();
    await sql`insert into identity.totp (member_id, secret, created_at, confirmed_at)
      values (${memberId}, ${randomBytes(20)}, ${alone.clock.now()}, ${alone.clock.now()})`.execute(alone.context.db);
    const dueAt = new Date(alone.clock.now().getTime() + 7 * HOURS_24 * 1000).toISOString();
    const proposed = await proposeIn(memberId, alone.context, 'turn_off_two_factor');
    expect(proposed).toMatchObject({ state: 'approved', due_at: dueAt });
    const told = async () =>
      (
        await alone.select<{ kind: string }>(sql`
          select kind from notify.notification where member_id = ${memberId} order by id`)
      ).map(({ kind }) => kind);
    expect(await told()).toEqual(['second_factor_ending']);
    alone.clock.advance(7 * HOURS_24 - 1);
    expect(await due()).toBe(0);
    await withdrawProposal(alone.context, looseningKind, actor, { id: BigInt(proposed.id), version: 1 });
    expect(await told()).toEqual(['second_factor_ending', 'second_factor_kept']);
    alone.clock.advance(1);
    expect(await due()).toBe(0);
  });

  test('never in live mode: there it waits for a second person', async () => {
    const memberId = await frozen();
    expect(await proposeIn(memberId, live)).toMatchObject({ state: 'proposed', due_at: null });
    alone.clock.advance(HOURS_24);
    expect(await due()).toBe(0);
    expect(await frozenAt(memberId)).not.toBeNull();
  });

  test('what was proposed in a rehearsal is not executed in live mode', async () => {
    const memberId = await frozen();
    await proposeIn(memberId);
    alone.clock.advance(HOURS_24);
    expect(await executeDueLoosenings(live)).toBe(1);
    expect(await frozenAt(memberId)).not.toBeNull();
  });

  test('nor after its operator was disabled and invited again', async () => {
    const memberId = await frozen();
    await proposeIn(memberId);
    await sql`update identity.operator set accepted_at = ${new Date(alone.clock.now().getTime() + 1)}
      where id = ${admin.operatorId}`.execute(alone.context.db);
    alone.clock.advance(HOURS_24);
    await due();
    expect(await frozenAt(memberId)).not.toBeNull();
  });
});
