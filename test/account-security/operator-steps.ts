import assert from 'node:assert';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  consoleEmailChanges,
  consoleLoosenings,
  identity,
  memberControls,
  operator as operatorCalls,
  operatorOpen,
  operatorPayouts,
} from '#contract/endpoints.ts';
import { executeDueEmailChanges } from '#server/accounts/index.ts';
import { executeDueLoosenings, followPayouts, payWithdrawals } from '#server/funds/index.ts';
import { OPERATOR_PASSWORD } from '#test/worlds/test-password.ts';
import { endRequest, moveTo } from './member-steps.ts';
import { changeSecurity, endProposals, isOn, isOwnerTold } from './proof.ts';
import { type Step, step } from './sign-in-steps.ts';
import { DAY, HOUR, type Proposed, type World } from './world.ts';

const WAIT_MS = 7 * DAY * 1000;
const by = fc.nat({ max: 2 });

/** The operator, signed in again if the eight hours are over. */
async function signedIn(world: World, index: number) {
  const one = world.operators[index % world.operators.length];
  assert(one !== undefined);
  if ((await world.app.ask('GET', 'operator/me', { token: one.token })).status === 200) return one;
  const first = await world.call(operatorCalls.operatorLogin, {
    body: { email: one.email, password: OPERATOR_PASSWORD },
  });
  const body = { challenge: first.data.challenge, otp: await one.code() };
  Object.assign(one, { token: (await world.call(operatorCalls.verifyOperatorOtp, { body })).data.access_token });
  return one;
}

const isOpen = ({ state }: Proposed) => state === 'proposed' || state === 'approved';
const whats = ['unfreeze', 'lift_withdrawal_stop', 'turn_off_two_factor', 'email_change'] as const;

const propose = step(
  'propose',
  fc.record({
    by,
    any: fc.constantFrom(...whats, undefined, undefined, undefined, undefined, undefined),
    isRight: fc.constantFrom(true, true, false),
  }),
  async (world, drawn) => {
    const { truth, memberId } = world;
    const { isRight } = drawn;
    const one = await signedIn(world, drawn.by);
    const needed = {
      unfreeze: truth.isFrozen,
      lift_withdrawal_stop: truth.isStopped,
      turn_off_two_factor: isOn(world),
      email_change: truth.emailRequest !== undefined,
    };
    const isWaiting = (what: Proposed['what']) => truth.proposals.some((open) => isOpen(open) && open.what === what);
    const what = drawn.any ?? whats.find((one) => needed[one] && !isWaiting(one)) ?? 'unfreeze';
    const may = needed[what] && isRight && !isWaiting(what);
    const otp = isRight ? await one.code() : '000000';
    const about = { member_id: memberId.toString(), reason: 'Seen in a video call', otp };
    const done =
      what === 'email_change'
        ? await world.call(consoleEmailChanges.proposeEmailChange, { token: one.token, body: about })
        : await world.call(consoleLoosenings.proposeLoosening, { token: one.token, body: { ...about, what } });
    assert.equal(done.isDone, may, `proposing ${what}: ${done.code}`);
    if (done.isDone) truth.proposals.push({ id: done.data.id, what, by: one.operatorId, state: 'proposed', dueAt: 0 });
  },
);

const decide = step(
  'decide',
  fc.record({
    by,
    which: fc.nat({ max: 9 }),
    how: fc.constantFrom('approve', 'approve', 'approve', 'approve', 'reject', 'withdraw'),
  }),
  async (world, drawn) => {
    const { truth } = world;
    const open = truth.proposals.filter(isOpen);
    const one = open[drawn.which % Math.max(1, open.length)];
    if (one === undefined) return;
    const actor = await signedIn(world, drawn.by);
    const { rows } = await sql<{
      version: number;
    }>`select version from approvals.proposal where id = ${one.id}`.execute(world.context.db);
    const { version } = rows[0] ?? { version: 0 };
    const calls = one.what === 'email_change' ? consoleEmailChanges : consoleLoosenings;
    const [approve, reject, withdraw] =
      calls === consoleEmailChanges
        ? [
            consoleEmailChanges.approveEmailChange,
            consoleEmailChanges.rejectEmailChange,
            consoleEmailChanges.withdrawEmailChange,
          ]
        : [consoleLoosenings.approveLoosening, consoleLoosenings.rejectLoosening, consoleLoosenings.withdrawLoosening];
    const isOwn = actor.operatorId === one.by;
    if (drawn.how === 'withdraw') {
      const done = await world.call(withdraw, { token: actor.token, id: one.id, body: { version } });
      if (!done.isDone) return assert(!isOwn, `withdrawing one's own proposal: ${done.code}`);
      one.state = 'withdrawn';
      return;
    }
    if (drawn.how === 'reject') {
      const done = await world.call(reject, { token: actor.token, id: one.id, body: { version, reason: 'No.' } });
      assert.equal(done.isDone, !isOwn && one.state === 'proposed', `rejecting: ${done.code}`);
      if (done.isDone) one.state = 'rejected';
      return;
    }
    const done = await world.call(approve, {
      token: actor.token,
      id: one.id,
      body: { version, otp: await actor.code() },
    });
    assert.equal(done.isDone, !isOwn && one.state === 'proposed', `approving ${one.what}: ${done.code}`);
    if (!done.isDone) return;
    if (one.what === 'unfreeze') truth.isFrozen = false;
    if (one.what === 'lift_withdrawal_stop') truth.isStopped = false;
    if (one.what === 'unfreeze' || one.what === 'lift_withdrawal_stop') {
      one.state = 'posted';
      return;
    }
    one.state = 'approved';
    one.dueAt = world.now() + WAIT_MS;
    assert(isOwnerTold(world), `${one.what}: the owner was not told`);
  },
);

const restrict = step(
  'restrict',
  fc.record({ by, what: fc.constantFrom('freeze', 'stop', 'endRequest', 'open') }),
  async (world, drawn) => {
    const { truth, memberId } = world;
    const { token, code } = await signedIn(world, drawn.by);
    const about = { token, id: memberId.toString() };
    if (drawn.what === 'freeze') {
      assert((await world.call(memberControls.setMemberFrozen, { ...about, body: { frozen: true, why: 'x' } })).isDone);
      truth.isFrozen = true;
      endProposals(truth.proposals, ({ what }) => what === 'unfreeze');
    } else if (drawn.what === 'stop') {
      assert(
        (await world.call(operatorPayouts.setWithdrawalsFrozen, { ...about, body: { frozen: true, why: 'x' } })).isDone,
      );
      truth.isStopped = true;
      endProposals(truth.proposals, ({ what }) => what === 'lift_withdrawal_stop');
    } else if (drawn.what === 'endRequest') {
      const done = await world.call(consoleEmailChanges.endEmailRequest, { ...about, body: { why: 'x' } });
      assert.equal(done.isDone, truth.emailRequest !== undefined, `ending a request: ${done.code}`);
      if (done.isDone) endRequest(world);
    } else if (drawn.by === 1) {
      const done = await world.call(operatorOpen.openMember, { ...about, body: { reason: 'x', otp: await code() } });
      if (!done.isDone) return;
      const body = { current_password: truth.password, password: 'harbour of support 9' };
      const answer = await world.app.ask('PUT', identity.changePassword.path.slice(1), {
        token: done.data.access_token,
        body,
      });
      assert.deepEqual([answer.status, answer.body.code], [403, 'read_only']);
    }
  },
);

const approveWithdrawal = step(
  'approveWithdrawal',
  fc.record({ by, which: fc.nat({ max: 9 }) }),
  async (world, drawn) => {
    const { truth } = world;
    const waiting = [...truth.withdrawals].filter(([, { state }]) => state === 'requested');
    const [id, one] = waiting[drawn.which % Math.max(1, waiting.length)] ?? [];
    if (id === undefined || one === undefined) return;
    const actor = await signedIn(world, drawn.by);
    const { rows } = await sql<{ version: number; needed: number }>`
    select version, (select case when sum(amount_micros) >= 5000000000 then 2 else 1 end from funds.withdrawal o
      where o.member_id = w.member_id and o.requested_on = w.requested_on
      and o.state not in ('rejected', 'cancelled', 'failed'))::int as needed
    from funds.withdrawal w where id = ${id}`.execute(world.context.db);
    const { version, needed } = rows[0] ?? { version: 0, needed: 1 };
    const done = await world.call(operatorPayouts.approveWithdrawal, {
      token: actor.token,
      id,
      body: { version, otp: await actor.code() },
    });
    const may =
      !truth.isFrozen && !truth.isStopped && truth.emailRequest === undefined && !one.approvals.has(actor.operatorId);
    assert.equal(done.isDone, may, `approving a withdrawal: ${done.code}`);
    if (!done.isDone) return;
    one.approvals.add(actor.operatorId);
    if (one.approvals.size >= needed) one.state = 'approved';
    assert.equal(done.data.state, one.state, `${needed} have to approve, ${one.approvals.size} did`);
  },
);

/** What waits takes effect, and approved withdrawals are paid. */
async function work(world: World): Promise<void> {
  const { truth, context } = world;
  await executeDueLoosenings(context);
  await executeDueEmailChanges(context);
  await payWithdrawals(context);
  await followPayouts(context);
  for (const one of truth.proposals.filter(({ state, dueAt }) => state === 'approved' && dueAt <= world.now())) {
    if (one.what === 'email_change') {
      one.state = truth.isFrozen ? 'withdrawn' : 'posted';
      if (truth.isFrozen || truth.emailRequest === undefined) continue;
      moveTo(world, truth.emailRequest);
      truth.emailRequest = undefined;
      changeSecurity(world, undefined);
    } else {
      one.state = isOn(world) ? 'posted' : 'withdrawn';
      if (!isOn(world)) continue;
      truth.app = undefined;
      truth.passkeys.clear();
      world.spent.recovery.push(...truth.recovery);
      truth.recovery.clear();
      changeSecurity(world, undefined);
    }
  }
  await world.readMails();
  const { rows } = await sql<{ id: bigint; state: string; address: string }>`
    select id, state, address from funds.withdrawal`.execute(context.db);
  for (const { id, state, address } of rows) {
    const one = truth.withdrawals.get(id.toString());
    assert(one !== undefined && one.address === address, 'a withdrawal that nobody requested');
    if (state === one.state) continue;
    const isPaid = state === 'sent' || state === 'completed';
    const wasLeaving = one.state === 'sent' || one.state === 'approved';
    const mayLeave = one.state === 'sent' || (!truth.isFrozen && !truth.isStopped && truth.emailRequest === undefined);
    assert(isPaid && wasLeaving && mayLeave, `a withdrawal went from ${one.state} to ${state}`);
    one.state = state;
  }
}

const waits = [60, 11 * 60, HOUR, 12 * HOUR, 25 * HOUR, 25 * HOUR, 3 * DAY, 7 * DAY + 60, 29 * DAY] as const;
const wait = step('wait', fc.constantFrom(...waits), async (world, seconds) => {
  const { truth, dead, clock } = world;
  clock.advance(seconds);
  await work(world);
  const margin = 3 * 60_000;
  for (const [token, usedAt] of truth.live) {
    const age = world.now() - usedAt - (truth.remembered.has(token) ? 30 : 1) * DAY * 1000;
    if (age > -margin) truth.live.delete(token);
    if (age > margin) dead.add(token);
    else if (age > -margin)
      // Whether it has just ended is not said to the minute.
      for (const mind of Object.values(world.minds)) mind.tokens = mind.tokens.filter((one) => one !== token);
  }
});

export const operatorSteps: [number, fc.Arbitrary<Step>][] = [
  [8, propose],
  [8, decide],
  [2, restrict],
  [8, approveWithdrawal],
  [13, wait],
];
