import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getBalances } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success } from '#test/worlds/app.ts';
import { openConsoleWorld, usd } from '#test/worlds/console-world.ts';
import type { TestOperator } from '#test/worlds/operators.ts';

const world = closeAfterAll(await openConsoleWorld());
const member = await world.addMember({ name: 'Anika Rao', dollars: 100 });
await world.addSurplus(1_000);

const at = 'operator/adjustments';
const input = (more: object = {}) => ({
  member_id: member.memberId.toString(),
  wallet_type: 'primary',
  amount: 5,
  reason: 'Fee taken twice.',
  evidence: 'Ticket Q-7M2QX4, trade 17.',
  ...more,
});
const propose = (more: object = {}, who: TestOperator = world.finance) => world.send(who, 'POST', at, input(more));
const proposed = async (more: object = {}, who?: TestOperator) => (await propose(more, who)).body.data;
const approve = async (id: string, who: TestOperator = world.second, version = 1) =>
  world.send(who, 'POST', `${at}/${id}/approve`, { version, otp: await who.code() });
const reject = (id: string, who: TestOperator = world.second, version = 1) =>
  world.send(who, 'POST', `${at}/${id}/reject`, { version, reason: 'The trade was settled once.' });
const withdraw = (id: string, who: TestOperator = world.finance, version = 1) =>
  world.send(who, 'POST', `${at}/${id}/withdraw`, { version });
const primary = async () => (await getBalances(world.context.db, member.memberId)).primary;

describe('a correction', () => {
  test('moves nothing until a second operator approves it, and is then posted, notified and audited', async () => {
    const before = await primary();
    const made = await propose();
    expect(made).toMatchObject(
      success({
        reference: expect.stringMatching(/^AD-[A-Z2-9]{6}$/),
        version: 1,
        member: { id: member.memberId.toString(), name: 'Anika Rao' },
        wallet_type: 'primary',
        amount: 5,
        state: 'proposed',
        proposed_by: { id: world.finance.operatorId.toString(), name: 'Op finance' },
        decided_by: null,
        transfer_id: null,
      }),
    );
    expect(await primary()).toBe(before);
    const { id, reference } = made.body.data;
    const done = await approve(id);
    expect(done).toMatchObject(
      success({ state: 'posted', version: 2, decided_by: { id: world.second.operatorId.toString() } }),
    );
    expect(await primary()).toBe(before + usd(5));
    const [transfer] = await world.select<object>(sql`
      select reason, reference, note, key, from_account from ledger.transfer
      where id = ${BigInt(done.body.data.transfer_id)}`);
    expect(transfer).toEqual({
      reason: 'correction',
      reference,
      note: 'Fee taken twice.',
      key: `adjustment/${id}/correction`,
      from_account: 17n,
    });
    const told = await world.select<{ message: string }>(sql`
      select message from notify.notification where member_id = ${member.memberId} order by id desc limit 1`);
    expect(told).toEqual([{ message: '$5.00 was added to your Primary Wallet: Fee taken twice.' }]);
    const entries = await world.select<object>(sql`
      select action, actor_id, address from audit.entry where subject = ${`adjustment:${id}`} order by id`);
    expect(entries).toEqual([
      { action: 'adjustment.propose', actor_id: world.finance.operatorId, address: '127.0.0.1' },
      { action: 'adjustment.approve', actor_id: world.second.operatorId, address: '127.0.0.1' },
    ]);
    expect(await world.findings()).toEqual([]);
  });

  test('takes from a wallet, and never more than it has', async () => {
    const before = await primary();
    expect(await approve((await proposed({ amount: -4.5 })).id)).toMatchObject({ status: 200 });
    expect(await primary()).toBe(before - usd(4.5));
    const { id } = await proposed({ amount: -100_000 });
    expect(await approve(id)).toMatchObject(refusal(422, 'insufficient_funds'));
    expect(await approve((await proposed({ amount: -1, wallet_type: 'profit' })).id)).toMatchObject(
      refusal(422, 'insufficient_funds'),
    );
    // It stays open: it can be approved once covered, or rejected.
    expect(await reject(id)).toMatchObject({ status: 200 });
    expect(await world.findings()).toEqual([]);
  });

  test('is covered by the surplus, or is refused', async () => {
    const { id } = await proposed({ amount: 1_000_000 });
    expect(await approve(id)).toMatchObject(refusal(409, 'not_covered'));
    await withdraw(id);
  });

  test.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 0.0000001 }, 'amount'],
    [{ amount: 9_000_000_001 }, 'amount'],
    [{ wallet_type: 'investment' }, 'wallet_type'],
    [{ reason: '' }, 'reason'],
    [{ evidence: ' ' }, 'evidence'],
  ])('with %j is refused', async (more, field) => {
    expect(await propose(more)).toMatchObject(refusal(422, 'validation', field));
  });

  test('of nobody, of the company and of a closed account is refused', async () => {
    const [company] = await world.select<{ id: bigint }>(sql`select id from identity.member where is_company`);
    expect(await propose({ member_id: '999999' })).toMatchObject(refusal(404, 'not_found'));
    expect(await propose({ member_id: company?.id.toString() })).toMatchObject(refusal(404, 'not_found'));
    const gone = await world.addMember();
    const { id } = await proposed({ member_id: gone.memberId.toString() });
    await sql`
      update identity.member set closed_at = now(), password_hash = null, email = null, mobile_number = null
      where id = ${gone.memberId}`.execute(world.context.db);
    expect(await approve(id)).toMatchObject(refusal(409, 'account_closed'));
    expect(await propose({ member_id: gone.memberId.toString() })).toMatchObject(refusal(409, 'account_closed'));
    await withdraw(id);
  });
});

describe('a reversal', () => {
  const reverse = (id: string, who: TestOperator = world.finance) =>
    world.send(who, 'POST', `${at}/${id}/reverse`, { reason: 'Credited to the wrong member.', evidence: 'Q-4F71K2' });
  const posted = async (more: object = {}) => (await approve((await proposed(more)).id)).body.data;

  test('of a posted correction moves the same money back, once a second operator approves it, and names its transfer', async () => {
    const before = await primary();
    const wrong = await posted({ amount: 7 });
    const made = await reverse(wrong.id);
    const { id, reference } = made.body.data;
    const reverses = { id: wrong.id, reference: wrong.reference };
    expect(made).toMatchObject(success({ state: 'proposed', amount: -7, wallet_type: 'primary', reverses }));
    expect(await primary()).toBe(before + usd(7));
    expect(await approve(id, world.finance)).toMatchObject(refusal(403, 'own_proposal'));
    const { body } = await approve(id);
    expect(await primary()).toBe(before);
    const [transfer] = await world.select<object>(sql`
      select reason, reference, note, key, reverses::text from ledger.transfer where id = ${BigInt(body.data.transfer_id)}`);
    expect(transfer).toEqual({
      reason: 'reversal',
      reference,
      note: 'Credited to the wrong member.',
      key: `adjustment/${id}/reversal`,
      reverses: wrong.transfer_id,
    });
    const listed = await world.get(world.support, `${at}?id=${wrong.id}`);
    expect(listed.body.data.items).toMatchObject([{ reverses: null, reversed_by: { id, reference, state: 'posted' } }]);
    const told = await world.select<{ message: string }>(sql`
      select message from notify.notification where member_id = ${member.memberId} order by id desc limit 1`);
    expect(told).toEqual([{ message: '$7.00 was deducted from your Primary Wallet: Credited to the wrong member.' }]);
    expect(await world.findings()).toEqual([]);
  });

  test('is proposed again after it was rejected, but not while one waits, of itself, or of what is not posted', async () => {
    const { id } = await proposed({ amount: 3 });
    expect(await reverse(id)).toMatchObject(refusal(409, 'adjustment_not_reversible'));
    await approve(id);
    const first = await reverse(id);
    expect(await reverse(id)).toMatchObject(refusal(409, 'adjustment_not_reversible'));
    await reject(first.body.data.id);
    const again = await reverse(id);
    await approve(again.body.data.id);
    for (const reversed of [id, again.body.data.id])
      expect(await reverse(reversed)).toMatchObject(refusal(409, 'adjustment_not_reversible'));
    expect(await reverse('999999')).toMatchObject(refusal(404, 'not_found'));
    expect(await reverse(id, world.support)).toMatchObject(refusal(403, 'not_allowed'));
  });

  test('whose transfer the owner of the database replaced moves nothing', async () => {
    const [small, large] = [await posted({ amount: 1 }), await posted({ amount: -50 })];
    const { body } = await reverse(small.id);
    const { db } = world.context;
    await sql`alter table approvals.proposal disable trigger user`.execute(db);
    await sql`
      update approvals.proposal set payload = jsonb_set(payload, '{reverses,transferId}', to_jsonb(${large.transfer_id}::text))
      where id = ${BigInt(body.data.id)}`.execute(db);
    await sql`alter table approvals.proposal enable trigger user`.execute(db);
    const before = await primary();
    expect((await approve(body.data.id)).status).toBe(500);
    expect(await primary()).toBe(before);
    await reject(body.data.id);
  });

  test('of money that the member no longer has waits until it is there', async () => {
    const { id } = await posted({ amount: 4, wallet_type: 'profit' });
    const { body } = await reverse(id);
    await approve((await proposed({ amount: -4, wallet_type: 'profit' })).id);
    expect(await approve(body.data.id)).toMatchObject(refusal(422, 'insufficient_funds'));
    await posted({ amount: 4, wallet_type: 'profit' });
    expect(await approve(body.data.id)).toMatchObject({ status: 200 });
    expect(await world.findings()).toEqual([]);
  });
});

describe('two people', () => {
  test('nobody proposes or approves a correction of the wallet they have as a member', async () => {
    const own = await world.addMember({ email: world.second.email.toUpperCase() });
    const member_id = own.memberId.toString();
    expect(await propose({ member_id }, world.second)).toMatchObject(refusal(403, 'own_proposal'));
    const { id } = await proposed({ member_id });
    expect(await approve(id)).toMatchObject(refusal(403, 'own_proposal'));
    expect(await approve(id, world.admin)).toMatchObject({ status: 200 });
  });
});

test('those of one member are listed', async () => {
  const other = await world.addMember({ name: 'Bert Lund' });
  for (const amount of [1, 2]) await proposed({ member_id: other.memberId.toString(), amount });
  const listed = await world.get(world.support, `${at}?member_id=${other.memberId}`);
  expect(listed.body.data.items.map((row: { amount: number }) => row.amount)).toEqual([2, 1]);
});
