import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { demoReserves } from '#server/demo/state-reserves.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal } from '#test/worlds/app.ts';
import { openConsoleWorld } from '#test/worlds/console-world.ts';
import { actorOf, type TestOperator } from '#test/worlds/operators.ts';
import { listReserves, proposeReserve, publishReserve } from './reserve-statement.ts';

const world = closeAfterAll(await openConsoleWorld());
const member = await world.addMember();

const at = 'operator/reserves';
const { signedOn: _, ...signed } = demoReserves.published;
const input = async (who: TestOperator, more: object = {}) => ({
  ...signed,
  reason: 'What we hold.',
  otp: await who.code(),
  ...more,
});
const propose = async (more: object = {}, who: TestOperator = world.finance) =>
  world.send(who, 'POST', at, await input(who, more));
const approve = async (id: string, who: TestOperator = world.second) =>
  world.send(who, 'POST', `${at}/${id}/approve`, { version: 1, otp: await who.code() });
const published = async () => {
  const { status, body } = await world.app.ask('GET', 'solvency/reserves', { token: member.token });
  expect(status).toBe(200);
  return body.data.items;
};

test('a statement is read by members when a second operator approved it', async () => {
  const proposed = await propose();
  expect(proposed).toMatchObject({
    status: 200,
    body: { data: { state: 'proposed', signed_on: '2026-01-31', reference: expect.stringMatching(/^RS-/) } },
  });
  expect(await published()).toEqual([]);
  const { id } = proposed.body.data;
  expect(await approve(id, world.finance)).toMatchObject(refusal(403, 'own_proposal'));
  const approved = await approve(id);
  expect(approved).toMatchObject({ status: 200, body: { data: { state: 'posted' } } });
  const { statement_id } = approved.body.data;
  expect(await published()).toEqual([
    {
      ...signed,
      id: statement_id,
      signed_on: '2026-01-31',
      published_at: expect.any(String),
      simulated: true,
    },
  ]);
  expect(await approve(id)).toMatchObject(refusal(409, 'proposal_decided'));
});

test('a newer statement of an address replaces the one before, and zero ends it', async () => {
  for (const amount of ['0.5', '0']) {
    const { body } = await propose({ amount });
    expect(await approve(body.data.id)).toMatchObject({ status: 200 });
    expect((await published()).map((statement: { amount: string }) => statement.amount)).toEqual(
      amount === '0' ? [] : [amount],
    );
  }
});

test('addresses are compared ignoring case: a statement in upper case replaces one in lower case', async () => {
  const amounts = async () => (await published()).map((statement: { amount: string }) => statement.amount);
  for (const [address, amount, shown] of [
    [signed.address, '0.5', ['0.5']],
    [signed.address.toUpperCase(), '0.25', ['0.25']],
    [signed.address, '0', []],
  ] as const) {
    const { body } = await propose({ address, amount });
    expect(await approve(body.data.id)).toMatchObject({ status: 200 });
    expect(await amounts()).toEqual(shown);
  }
});

test('one that was signed before, and approved after it, does not replace it', async () => {
  const address = 'bc1qsignedlater';
  const publish = (signedOn: string, amount: string) =>
    inTransaction(world.context.db, (tx) =>
      publishReserve(tx, world.context, { ...signed, address, signedOn, amount }),
    );
  await publish('2026-02-28', '2');
  await publish('2026-01-31', '7');
  const shown = async () => (await listReserves(world.context)).items.filter((one) => one.address === address);
  expect(await shown()).toMatchObject([{ amount: '2', signed_on: '2026-02-28' }]);
  await publish('2026-02-28', '0');
  expect(await shown()).toEqual([]);
});

test.each([
  [{ signature: demoReserves.waiting.signature }, 'reserve_signature', 'signature'],
  [{ message: signed.message.replace('ours', 'theirs') }, 'reserve_signature', 'signature'],
  [{ address: demoReserves.waiting.address }, 'reserve_address', 'address'],
  [{ message: 'This address is ours.' }, 'reserve_undated', 'message'],
  [{ message: 'Ours on 2026-02-30.' }, 'reserve_undated', 'message'],
  [{ message: 'Ours on 2999-01-01.' }, 'reserve_undated', 'message'],
])('what does not verify is refused at its field: %o', async (more, code, field) => {
  const answer = await propose(more);
  expect(answer).toMatchObject(refusal(422, code));
  expect(answer.body.validation_results).toMatchObject([{ field }]);
});

test('a test network is refused in live mode', async () => {
  const live = { ...world.context, config: { ...world.context.config, mode: 'live' as const } };
  const actor = actorOf(world.finance);
  await expect(async () => proposeReserve(live, actor, await input(world.finance))).rejects.toMatchObject({
    code: 'reserve_network',
    status: 422,
    field: 'network',
  });
});

test('bad input, a wrong code and other roles are refused', async () => {
  for (const more of [{ amount: '1e9' }, { asset: 'btc' }, { network: 'dogecoin' }, { address: '' }, { signature: '' }])
    expect(await propose(more)).toMatchObject(refusal(422, 'validation'));
  expect(await propose({ otp: '000000' })).toMatchObject({ status: 422 });
  expect(await propose({}, world.support)).toMatchObject({ status: 403 });
  expect(await approve('999')).toMatchObject(refusal(404, 'not_found'));
});

test('the database itself keeps statements from being changed', async () => {
  for (const change of ['update solvency.reserve_statement set amount = 1', 'delete from solvency.reserve_statement'])
    await expect(world.database.runScript(change)).rejects.toMatchObject({ code: 'TWS01' });
});
