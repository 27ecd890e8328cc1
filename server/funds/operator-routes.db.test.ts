import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getMember } from '#server/accounts/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type Answer, refusal, success, testApp } from '#test/worlds/app.ts';
import { makeOperator, wrongCode } from '#test/worlds/operators.ts';
import { usd } from './funds-world.test-setup.ts';
import { payInSandbox } from './gateways/sandbox/pay-in-sandbox.ts';
import { mountOperatorPayouts } from './index.ts';
import { followPayouts } from './payouts/follow-payouts.ts';
import { payWithdrawals } from './payouts/pay-withdrawals.ts';
import { openOfficeWorld } from './review/review-world.test-setup.ts';
import { hasWithdrawalFreeze } from './withdrawals/payout-guard.ts';

const world = closeAfterAll(await openOfficeWorld());
const app = closeAfterAll(await testApp(world.context, mountOperatorPayouts));
const support = await makeOperator(world.context, 'support');

const get = (url: string, token = world.finance.token) => app.ask('GET', `operator/${url}`, { token });
const post = (url: string, body: unknown, token = world.finance.token) =>
  app.ask('POST', `operator/${url}`, { token, body });
const put = (url: string, body: unknown, token = world.finance.token) =>
  app.ask('PUT', `operator/${url}`, { token, body });

describe('withdrawals', () => {
  test('from the queue to its end through the gateway, with all that a decision needs', async () => {
    const row = await world.addRequested(6000, { network: 'BTC' });
    const one = `withdrawals/${row.id}`;
    const asked = await get(one, support.token);
    expect(asked).toMatchObject(
      success({
        reference: row.reference,
        amount: 6000,
        fee: 60,
        net: 5940,
        state: 'requested',
        version: 1,
        member: { name: 'Anika Rao', verified: false, frozen: false, withdrawals_frozen: false },
        day_sum: 6000,
        approvals_needed: 2,
        approvals: [],
        payout: null,
        gateway_can_pay: true,
        new_device: null,
        first_payout: true,
      }),
    );
    const first = await post(`${one}/approve`, { version: 1, otp: await world.finance.code() });
    expect(first.body.data).toMatchObject({
      state: 'requested',
      version: 2,
      approvals: [{ operator_id: world.finance.operatorId.toString(), operator: 'Op finance' }],
    });
    const second = await post(`${one}/approve`, { version: 2, otp: await world.second.code() }, world.second.token);
    expect(second.body.data).toMatchObject({ state: 'approved', version: 3 });
    await payWithdrawals(world.context, [world.gateway]);
    const sent = (await get(one)).body.data;
    expect(sent).toMatchObject({ state: 'sent', payout: { way: 'gateway', gateway: 'sandbox', operator_id: null } });
    world.clock.advance(5);
    await followPayouts(world.context, [world.gateway]);
    const { steps, state } = (await get(one)).body.data;
    expect([state, steps.map((step: { state: string }) => step.state)]).toEqual([
      'completed',
      ['requested', 'requested', 'approved', 'sent', 'completed'],
    ]);
  });

  test('a requested email change is shown, which stops it', async () => {
    const { id, member_id: memberId } = await world.addRequested(100, { network: 'BTC' });
    await sql`
      insert into identity.email_request (member_id, email, requested_at)
      values (${memberId}, 'other@mail.example', ${world.clock.now()})`.execute(world.context.db);
    expect((await get(`withdrawals/${id}`)).body.data.member).toMatchObject({ withdrawals_frozen: true });
  });

  test('it shows whether a device was new at the request, and whether anything was paid out before', async () => {
    const { id, member_id: memberId } = await world.addApproved(100, 'BTC');
    const signedInOn = (device: string, hoursAgo: number) =>
      sql`
        insert into identity.known_device (member_id, device, first_seen_at)
        values (${memberId}, ${device}, ${world.clock.now()}::timestamptz - make_interval(hours => ${hoursAgo}))`.execute(
        world.context.db,
      );
    const flagsOf = async (withdrawalId: bigint) => {
      const { new_device, first_payout } = (await get(`withdrawals/${withdrawalId}`, support.token)).body.data;
      return { new_device, first_payout };
    };
    expect(await flagsOf(id)).toEqual({ new_device: null, first_payout: true });
    await signedInOn('Firefox on Windows', 48);
    expect(await flagsOf(id)).toEqual({ new_device: false, first_payout: true });
    await payWithdrawals(world.context, [world.gateway]);
    world.clock.advance(5);
    await followPayouts(world.context, [world.gateway]);
    expect(await flagsOf(id)).toEqual({ new_device: false, first_payout: true });
    await signedInOn('Safari on iPhone', 1);
    const next = await world.addRequested(10, { memberId });
    expect(await flagsOf(next.id)).toEqual({ new_device: true, first_payout: false });
    expect((await get('withdrawals?state=requested')).body.data.items.at(-1)).toMatchObject({
      id: next.id.toString(),
      new_device: true,
      first_payout: false,
    });
  });

  test('paid by hand, call by call; and rejected', async () => {
    const { id } = await world.addApproved(100);
    const step = (name: string, body: object) => post(`withdrawals/${id}/${name}`, body);
    const otp = world.finance.code;
    expect((await step('take', { version: 2, otp: await otp() })).body.data.payout).toMatchObject({ way: 'hand' });
    expect((await step('return', { version: 3 })).body.data.payout).toBeNull();
    await step('take', { version: 4, otp: await otp() });
    const sent = await step('sent', { version: 5, transaction: 'abcdef1234' });
    expect(sent.body.data).toMatchObject({ state: 'sent', transaction: 'abcdef1234' });
    const done = await step('complete', { version: 6, otp: await otp() });
    expect(done.body.data).toMatchObject({ state: 'completed', version: 7 });
    expect(await step('fail', { version: 7, reason: 'x', otp: await otp() })).toMatchObject(
      refusal(409, 'withdrawal_state'),
    );
    const other = await world.addRequested(100);
    const rejected = await post(`withdrawals/${other.id}/reject`, { version: 1, reason: 'Not yours.' });
    expect(rejected.body.data).toMatchObject({ state: 'rejected', note: 'Not yours.' });
    expect(
      await post(`withdrawals/${other.id}/resolve`, { outcome: 'failed', version: 2, reason: 'x', otp: await otp() }),
    ).toMatchObject(refusal(409, 'withdrawal_state'));
  });

  test('the queue is oldest first, everything else newest first, page by page', async () => {
    const ids = [await world.addRequested(10), await world.addRequested(10), await world.addRequested(10)].map((row) =>
      row.id.toString(),
    );
    const pages = async (query: string) => {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body }: Answer = await get(`withdrawals?limit=2${query}${cursor && `&cursor=${cursor}`}`);
        found.push(...body.data.items.map((item: { id: string }) => item.id));
        cursor = body.data.next_cursor;
      }
      return found;
    };
    const queue = await pages('&state=requested');
    expect(queue.slice(-3)).toEqual(ids);
    const all = await pages('');
    expect(all.slice(0, 3)).toEqual([...ids].reverse());
    expect(new Set(all).size).toBe(all.length);
    expect(await get('withdrawals?cursor=x')).toMatchObject({
      status: 422,
      body: { validation_results: [{ field: 'cursor' }] },
    });
    expect(await get('withdrawals/999999')).toMatchObject(refusal(404, 'withdrawal_not_found'));
  });
});

describe('the switch and the flags of members', () => {
  test('stopping needs no code, going on does; the first stop stays', async () => {
    const free = { stopped: false, at: null, operator: null, why: null, needs: null };
    expect((await get('payout-switch', support.token)).body.data).toEqual(free);
    expect((await put('payout-switch', { stopped: true, why: 'audit' })).body.data).toEqual({ stopped: true });
    world.clock.advance(60);
    await put('payout-switch', { stopped: true, why: 'again' }, world.second.token);
    expect((await get('payout-switch')).body.data).toMatchObject({
      stopped: true,
      operator: 'Op finance',
      why: 'audit',
    });
    expect(await put('payout-switch', { stopped: false, why: 'done' })).toMatchObject({ status: 422 });
    const wrong = { stopped: false, why: 'done', otp: wrongCode(await world.finance.code()) };
    expect(await put('payout-switch', wrong)).toMatchObject(refusal(422, 'wrong_second_factor'));
    await put('payout-switch', { ...wrong, otp: await world.finance.code() });
    expect((await get('payout-switch')).body.data).toEqual(free);
  });

  test('support removes verification and stops withdrawals, and cannot undo either', async () => {
    const memberId = await world.addMember();
    const member = `members/${memberId}`;
    const { id } = await world.addRequested(10, { memberId: await world.addWithdrawer() });
    expect(await put(`${member}/verified`, { verified: false, why: 'forged' }, support.token)).toMatchObject({
      status: 200,
    });
    expect(await put(`${member}/verified`, { verified: true, why: 'seen' }, support.token)).toMatchObject({
      status: 422,
    });
    const owner = (await get(`withdrawals/${id}`)).body.data.member.id;
    await put(`members/${owner}/withdrawals-frozen`, { frozen: true, why: 'phone' }, support.token);
    expect((await get(`withdrawals/${id}`)).body.data.member).toMatchObject({ withdrawals_frozen: true });
    const goOn = { frozen: false, why: 'spoken with', otp: await support.code() };
    expect(await put(`members/${owner}/withdrawals-frozen`, goOn, support.token)).toMatchObject({ status: 422 });
    expect(await hasWithdrawalFreeze(world.context.db, BigInt(owner))).toBe(true);
    for (const call of ['verified', 'withdrawals-frozen']) {
      const body = call === 'verified' ? { verified: false, why: 'x' } : { frozen: true, why: 'x' };
      expect(await put(`members/999999/${call}`, body)).toMatchObject(refusal(404, 'not_found'));
    }
    expect((await getMember(world.context.db, memberId)).frozenAt).toBeNull();
  });
});

describe('deposits', () => {
  test('in review are listed oldest first, and credited, sent back or closed', async () => {
    const late = async () => {
      const { id } = await world.addDeposit(100);
      await payInSandbox(world.context, { depositId: id }, 'expire');
      await payInSandbox(world.context, { depositId: id }, 'again');
      return world.find(id);
    };
    const [first, second] = [await late(), await late()];
    const { items } = (await get('deposits?state=review', support.token)).body.data;
    expect(items).toMatchObject([
      { id: first.id.toString(), held: 100, refunded: 0, gateway: 'sandbox', member: { name: 'Anika Rao' } },
      { id: second.id.toString() },
    ]);
    expect((await get('deposits')).body.data.items[0].id).toBe(second.id.toString());
    expect((await get(`deposits/${first.id}`, support.token)).body.data).toEqual(items[0]);
    expect(await get('deposits/999999')).toMatchObject(refusal(404, 'deposit_not_found'));
    const decide = async (id: bigint, call: string, more: object = {}) =>
      post(`deposits/${id}/${call}`, {
        version: (await world.find(id)).version,
        reason: 'Late.',
        ...more,
      });
    const otp = await world.finance.code();
    expect((await decide(first.id, 'credit', { otp })).body.data).toMatchObject({
      state: 'credited',
      credited: 100,
      held: 0,
    });
    expect(await world.primary(first.member_id)).toBe(usd(100));
    expect(await decide(second.id, 'reject')).toMatchObject(refusal(409, 'deposit_holds_money'));
    const refund = { transaction: 'abcdef1234', otp: await world.finance.code() };
    expect((await decide(second.id, 'refund', refund)).body.data).toMatchObject({ state: 'refunded', refunded: 100 });
    expect(await get('deposits?cursor=x')).toMatchObject({
      status: 422,
      body: { validation_results: [{ field: 'cursor' }] },
    });
    expect(await world.findings()).toEqual([]);
  });
});
