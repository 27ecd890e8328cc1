import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { changeOperatorRole, disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { findFeePlans } from '#server/fee-plans/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { makeOperator, type TestOperator, wrongCode } from '#test/worlds/operators.ts';

const world = closeAfterAll(await openConsoleWorld());
const member = await world.addMember({ dollars: 100 });
await world.addSurplus(1000);
const admin = await makeOperator(world.context, 'admin');

type Kind = {
  readonly at: string;
  readonly list: string;
  readonly body: (who: TestOperator) => Promise<object>;
  readonly actors: readonly string[];
  readonly isOneAtATime?: boolean;
};

/** What varies between the kinds in the console; each is proposed by an admin, who may propose all of them. */
const kinds = {
  adjustment: {
    at: 'operator/adjustments',
    list: 'operator/adjustments',
    body: async () => ({
      member_id: member.memberId.toString(),
      wallet_type: 'primary',
      amount: 5,
      reason: 'r',
      evidence: 'e',
    }),
    actors: ['finance', 'admin'],
  },
  treasury: {
    at: 'operator/treasury/moves',
    list: 'operator/treasury/moves',
    body: async () => ({ kind: 'capital_in', amount: 5, reason: 'r', transaction: 'f4184fc596' }),
    actors: ['finance', 'admin'],
  },
  fee_plan: {
    at: 'operator/fee-plans',
    list: 'operator/fee-plans/proposals',
    body: async () => {
      const { id, tradeFeeBps } = (await findFeePlans(world.context.db)).current;
      return {
        base_id: id.toString(),
        terms: { ...firstFeePlan, trade_fee_bps: tradeFeeBps - 1 },
        reason: 'Cheaper.',
      };
    },
    actors: ['admin'],
  },
  // Each about its own member: one may be pending per member, and a second is refused with a key or without.
  loosening: {
    at: 'operator/loosenings',
    list: 'operator/loosenings',
    body: async (who: TestOperator) => ({
      member_id: (await world.addMember()).memberId.toString(),
      what: 'verify',
      reason: 'r',
      otp: await who.code(),
    }),
    actors: ['finance', 'admin'],
    isOneAtATime: true,
  },
};

describe.each(Object.entries<Kind>(kinds))('%s', (kind, { at, list, body, actors, isOneAtATime = false }) => {
  const propose = async (who: TestOperator = world.admin) => world.send(who, 'POST', at, await body(who));
  const proposed = async (who?: TestOperator): Promise<string> => (await propose(who)).body.data.id;
  const approve = async (id: string, who = admin, version = 1, otp?: string) =>
    world.send(who, 'POST', `${list}/${id}/approve`, { version, otp: otp ?? (await who.code()) });
  const reject = (id: string, who = admin, version = 1) =>
    world.send(who, 'POST', `${list}/${id}/reject`, { version, reason: 'The trade was settled once.' });
  const withdraw = (id: string, who = world.admin, version = 1) =>
    world.send(who, 'POST', `${list}/${id}/withdraw`, { version });
  const stateOf = async (id: string) =>
    (
      await world.select<{ state: string }>(
        sql`select state from approvals.proposal where kind = ${kind} and id = ${BigInt(id)}`,
      )
    )[0]?.state;

  test('nobody approves or rejects their own, or withdraws a colleague’s', async () => {
    const id = await proposed();
    expect(await approve(id, world.admin)).toMatchObject(refusal(403, 'own_proposal'));
    expect(await reject(id, world.admin)).toMatchObject(refusal(403, 'own_proposal'));
    expect(await withdraw(id, admin)).toMatchObject(refusal(403, 'not_allowed'));
    expect(await stateOf(id)).toBe('proposed');
    await withdraw(id);
  });

  test('a wrong code approves nothing, and a stale page consumes none', async () => {
    const id = await proposed();
    const otp = await admin.code();
    expect(await approve(id, admin, 2, otp)).toMatchObject(refusal(409, 'proposal_changed'));
    const wrong = wrongCode(otp);
    expect(await approve(id, admin, 1, wrong)).toMatchObject(refusal(422, 'wrong_second_factor'));
    expect(await stateOf(id)).toBe('proposed');
    expect(await approve(id, admin, 1, otp)).toMatchObject(
      success({ state: 'posted', ended_by: null, ended_at: null }),
    );
  });

  test('it is decided once: rejected with a reason, or withdrawn by its proposer', async () => {
    const id = await proposed();
    const note = 'The trade was settled once.';
    expect(await reject(id)).toMatchObject(success({ state: 'rejected', version: 2, note }));
    const entries = await world.select(sql`
      select actor_id, before, after ->> 'state' as after, after ->> 'note' as note from audit.entry
      where action = ${`${kind}.reject`} and subject like ${`%:${id}`}`);
    expect(entries).toEqual([{ actor_id: admin.operatorId, before: { state: 'proposed' }, after: 'rejected', note }]);
    for (const decide of [approve, reject]) {
      expect(await decide(id, admin, 2)).toMatchObject(refusal(409, 'proposal_decided'));
    }
    const other = await proposed();
    expect(await withdraw(other)).toMatchObject({ status: 200, body: { data: { state: 'withdrawn' } } });
    expect(await withdraw(other)).toMatchObject(refusal(409, 'proposal_decided'));
    for (const decide of [approve, reject, withdraw]) {
      expect(await decide('999999', admin)).toMatchObject(refusal(404, 'not_found'));
    }
  });

  test('a call for another kind of proposal decides nothing', async () => {
    const id = await proposed();
    for (const other of Object.values(kinds).filter((one) => one.list !== list)) {
      const reply = await world.send(admin, 'POST', `${other.list}/${id}/reject`, { version: 1, reason: 'no' });
      expect(reply).toMatchObject(refusal(404, 'not_found'));
    }
    await withdraw(id);
  });

  test('the database refuses a decision by the proposer, and any change of what was proposed or decided', async () => {
    const id = await proposed();
    const decide = (set: string) =>
      world.database.runScript(`update approvals.proposal set ${set} where kind = '${kind}' and id = ${id}`);
    const [own, other] = [world.admin.operatorId, admin.operatorId];
    const approved = (by: bigint) => `approved_at = now(), due_at = now(), approved_by = ${by}`;
    const posted = `state = 'posted', result_id = 999, ended_at = now()`;
    await expect(decide(`${posted}, ${approved(own)}`)).rejects.toMatchObject({ constraint: 'proposal_two_people' });
    await expect(decide(`${posted}, due_at = now()`)).rejects.toMatchObject({ constraint: 'proposal_carried_out' });
    await expect(decide(`state = 'rejected', note = 'no', ended_at = now(), ended_by = ${own}`)).rejects.toMatchObject({
      constraint: 'proposal_rejected_by_another',
    });
    await expect(decide(`state = 'withdrawn', ended_at = now(), ended_by = ${other}`)).rejects.toMatchObject({
      constraint: 'proposal_withdrawn_by_own',
    });
    await expect(decide(`payload = payload || '{"more": 1}'`)).rejects.toMatchObject({ code: 'TWO01' });
    await withdraw(id);
    await expect(decide(`note = 'again'`)).rejects.toMatchObject({ code: 'TWO01' });
    await expect(world.database.runScript('delete from approvals.proposal')).rejects.toMatchObject({ code: 'TWO01' });
  });

  test('all operators read; only its roles propose and decide', async () => {
    const id = await proposed();
    for (const who of [world.support, world.finance, admin]) {
      expect(await world.get(who, list)).toMatchObject({ status: 200 });
    }
    for (const who of [world.support, ...(actors.includes('finance') ? [] : [world.finance])]) {
      expect(await propose(who)).toMatchObject(refusal(403, 'not_allowed'));
      for (const decide of [approve, reject, withdraw]) {
        expect(await decide(id, who)).toMatchObject(refusal(403, 'not_allowed'));
      }
    }
    expect(await stateOf(id)).toBe('proposed');
    await withdraw(id);
  });

  test('it is proposed once, however often it is requested', async () => {
    const headers = { 'idempotency-key': `${kind}-once` };
    const sent = await body(world.admin);
    const ask = () => world.app.ask('POST', at, { token: world.admin.token, body: sent, headers });
    const [first, second] = [await ask(), await ask()];
    if (isOneAtATime) expect(second).toMatchObject(refusal(409, 'proposal_waiting'));
    else expect(second.body.data).toEqual(first.body.data);
    await withdraw(first.body.data.id);
  });

  test('pending ones are listed oldest first, all others newest first, page by page', async () => {
    const ids = [await proposed(), await proposed()] as const;
    const listed = async (query: string) =>
      (await world.get(world.support, `${list}?${query}`)).body.data.items.map((row: { id: string }) => row.id);
    expect(await listed('state=proposed')).toEqual(ids);
    expect((await listed('')).slice(0, 2)).toEqual(ids.toReversed());
    expect(await listed(`id=${ids[1]}`)).toEqual([ids[1]]);
    for (const [query, second] of [
      ['state=proposed&limit=1', ids[1]],
      ['limit=1', ids[0]],
    ] as const) {
      const first = await world.get(world.support, `${list}?${query}`);
      expect(await listed(`${query}&cursor=${first.body.data.next_cursor}`)).toEqual([second]);
    }
    expect(await world.get(world.support, `${list}?cursor=x`)).toMatchObject(refusal(422, 'validation'));
    for (const id of ids) await withdraw(id);
    expect(await listed(`state=proposed&id=${ids[0]}`)).toEqual([ids[0]]);
  });

  const decision = async () => ({
    operatorId: admin.operatorId,
    otp: await admin.code(),
    address: '127.0.0.1',
  });
  const disable = async ({ operatorId }: TestOperator) =>
    disableOperator(world.context, await decision(), { operatorId, why: 'stolen phone' });
  const lower = async ({ operatorId }: TestOperator) =>
    changeOperatorRole(world.context, await decision(), { operatorId, role: 'support', why: 'other work' });

  test.each([
    ['disabled', disable],
    ['lowered', lower],
  ])(
    'once its proposer was %s, it is not executed, shows that it does not count, and can be rejected',
    async (_state, distrust) => {
      const thief = await makeOperator(world.context, 'admin');
      const made = await propose(thief);
      const { id, proposer_counts } = made.body.data;
      expect(proposer_counts).toBe(true);
      await distrust(thief);
      const transfers = () => world.select<object>(sql`select max(id) as last from ledger.transfer`);
      const before = await transfers();
      expect(await approve(id)).toMatchObject(refusal(409, 'proposer_not_entitled'));
      expect(await transfers()).toEqual(before);
      const { items } = (await world.get(admin, `${list}?state=proposed`)).body.data;
      expect(items).toMatchObject([{ id, proposer_counts: false, proposed_by: { name: 'Op admin' } }]);
      expect(await reject(id)).toMatchObject(success({ state: 'rejected', proposer_counts: true }));
    },
  );
});
