import { afterAll, describe, expect, test } from 'vitest';
import { refusals } from '#contract/refusals.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { success, testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { usd } from '../funds-world.test-setup.ts';
import { mountWithdrawals } from '../index.ts';
import { openWithdrawalsWorld, type Person, SEGWIT, TRON } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts, mountWithdrawals));
afterAll(async () => {
  expect(await world.findings()).toEqual([]);
});

const codeOf = async (person: Person, query: string) => {
  world.clock.advance(60);
  const sent = await get(person, `auth/send-otp?${query}`);
  expect(sent).toMatchObject({ status: 200, body: { status: 'success', data: { delayed: false } } });
  return world.code(person);
};
const post = (person: Person, body: unknown, headers: Record<string, string> = {}) =>
  app.ask('POST', 'safe/withdrawal', { token: person.token, body, headers });
const get = (person: Person, url: string) => app.ask('GET', url, { token: person.token });
const withdraw = async (person: Person, amount: number) => {
  const otp = await codeOf(person, `purpose=withdrawal&amount=${amount}&wallet_type=primary`);
  return post(person, { amount, wallet_type: 'primary', otp });
};
const cancel = (person: Person, id: string, headers: Record<string, string> = {}) =>
  app.ask('POST', `safe/withdrawal/${id}/cancel`, { token: person.token, headers });
const refusal = (code: keyof typeof refusals) => ({
  status: refusals[code][0],
  body: { status: 'error', code, message: refusals[code][1] },
});

describe('a withdrawal', () => {
  test('is requested with a code, listed, read with its steps and cancelled, by its member alone', async () => {
    const [person, stranger] = [await world.addPerson(500), await world.addPerson()];
    const made = await withdraw(person, 200.5);
    expect(made.body.data).toMatchObject({
      amount: 200.5,
      fee: 2.005,
      net: 198.495,
      wallet_type: 'primary',
      network: 'TRC20',
      address: TRON,
      state: 'requested',
      transaction: null,
      note: null,
    });
    const { id } = made.body.data;
    const requestedAt = world.clock.now().toISOString();
    const read = await get(person, `safe/withdrawal/${id}`);
    expect(read.body.data).toEqual({ ...made.body.data, steps: [{ state: 'requested', note: null, at: requestedAt }] });
    const list = await get(person, 'safe/withdrwal-hist?state=requested');
    expect(list.body.data).toEqual({ items: [made.body.data], next_cursor: null });

    for (const foreign of [id, '999999']) {
      expect(await get(stranger, `safe/withdrawal/${foreign}`)).toMatchObject(refusal('withdrawal_not_found'));
      expect(await cancel(stranger, foreign)).toMatchObject(refusal('withdrawal_not_found'));
    }
    expect((await get(stranger, 'safe/withdrwal-hist')).body.data.items).toEqual([]);

    world.clock.advance(5);
    expect(await cancel(person, id)).toMatchObject({ status: 200, body: { data: { id, state: 'cancelled' } } });
    expect(await world.balances(person)).toMatchObject({ primary: usd(500), withdrawal_hold: 0n });
    expect((await get(person, `safe/withdrawal/${id}`)).body.data.steps).toEqual([
      { state: 'requested', note: null, at: requestedAt },
      { state: 'cancelled', note: null, at: world.clock.now().toISOString() },
    ]);
    expect(await cancel(person, id)).toMatchObject(refusal('withdrawal_not_requested'));
  });

  test('cancelled with a key twice answers the same; approved it can no longer be cancelled', async () => {
    const person = await world.addPerson(500);
    const [first, second] = [(await withdraw(person, 100)).body.data, (await withdraw(person, 100)).body.data];
    const once = () => cancel(person, first.id, { 'idempotency-key': 'cancel-once' });
    expect((await once()).body).toEqual((await once()).body);
    await world.move(BigInt(second.id), 'approved');
    expect(await cancel(person, second.id)).toMatchObject(refusal('withdrawal_not_requested'));
    expect(await world.balances(person)).toMatchObject({ primary: usd(400), withdrawal_hold: usd(100) });
  });

  test('with a wrong code is a 422 that names the field, never a 401, and the same key is free again', async () => {
    const person = await world.addPerson(500);
    const otp = await codeOf(person, 'purpose=withdrawal&amount=100&wallet_type=primary');
    const wrong = otp === '123456' ? '654321' : '123456';
    const headers = { 'idempotency-key': 'request-once' };
    const body = { amount: 100, wallet_type: 'primary', otp: wrong };
    expect(await post(person, body, headers)).toMatchObject({
      status: 422,
      body: { code: 'wrong_otp', validation_results: [{ field: 'otp' }] },
    });
    const made = await post(person, { ...body, otp }, headers);
    expect(made.status).toBe(200);
    expect((await post(person, { ...body, otp }, headers)).body).toEqual(made.body);
    expect(await world.balances(person)).toMatchObject({ primary: usd(400), withdrawal_hold: usd(100) });
  });
});

describe('the list', () => {
  test('comes in pages, by state, and whole as a file that hides what did not happen', async () => {
    const person = await world.addPerson(5000);
    const made: { id: string; reference: string }[] = [];
    for (const amount of [100, 200, 300]) made.push((await withdraw(person, amount)).body.data);
    const [first, second, third] = made.map(({ id }) => BigInt(id)) as [bigint, bigint, bigint];
    await world.move(first, 'approved');
    await world.move(first, 'sent', { payoutWay: 'hand', handlerId: 1n, transaction: 'a1b2c3d4' });
    await world.move(first, 'completed');
    await world.move(second, 'rejected', undefined, '=cmd() is no reason');

    const ask = async (query: string) => (await get(person, `safe/withdrwal-hist?${query}`)).body;
    const page = (await ask('limit=2')).data;
    expect(page.items.map((item: { id: string }) => item.id)).toEqual([String(third), String(second)]);
    const rest = (await ask(`limit=2&cursor=${page.next_cursor}`)).data;
    expect(rest).toMatchObject({ items: [{ id: String(first), state: 'completed' }], next_cursor: null });
    expect((await ask('state=rejected')).data.items).toMatchObject([{ note: '=cmd() is no reason' }]);
    expect(await ask('cursor=x')).toMatchObject({ code: 'validation' });

    const file = await get(person, 'safe/withdrwal-hist?format=csv');
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="withdrawals.csv"',
    });
    const [head, ...lines] = file.text.trimEnd().split('\r\n');
    expect(head).toBe(
      'Requested (UTC),Reference,Amount (USD),Fee (USD),Paid out (USD),Wallet,Network,Address,State,Note,Transaction,Updated (UTC)',
    );
    expect(lines.map((text) => text.split(',').slice(2, -1).join(','))).toEqual([
      `300.000000,3.000000,,Primary,TRC20,${TRON},Requested,,`,
      `200.000000,2.000000,,Primary,TRC20,${TRON},Rejected,'=cmd() is no reason,`,
      `100.000000,1.000000,99.000000,Primary,TRC20,${TRON},Completed,,a1b2c3d4`,
    ]);
    const some = await get(person, 'safe/withdrwal-hist?format=csv&state=completed');
    expect(some.text.trimEnd().split('\r\n')).toHaveLength(2);
  });
});

describe('the address', () => {
  test('is saved with a code, shown in the terms, and stopped by the link of its email without a sign-in', async () => {
    const person = await world.addPerson(500, null);
    const otp = await codeOf(person, `purpose=address&network=BTC&address=${SEGWIT}`);
    const body = { network: 'BTC', address: SEGWIT, otp };
    const saved = await app.ask('PUT', 'auth/update-address', { token: person.token, body });
    const usable = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
    expect(saved).toMatchObject(success({ network: 'BTC', address: SEGWIT, usable_from: usable }));
    const terms = await get(person, 'safe/withdrawal-terms');
    expect(terms.body.data).toEqual({
      minimum: 10,
      day_limit: 10_000,
      day_left: 10_000,
      fee_bps: 100,
      fee_minimum: 1,
      address: { network: 'BTC', address: SEGWIT, usable_from: usable },
      bar: { code: 'withdrawal_waiting', until: usable },
      payouts_stopped: false,
      simulated: true,
      network_fee_estimated: false,
    });
    const token = /not-me#(\S+)/.exec((await world.mails(person)).at(-1) ?? '')?.[1];
    const alarm = (value: unknown) => app.ask('POST', 'auth/not-me', { body: { token: value } });
    expect(await alarm('no such token')).toMatchObject(refusal('wrong_alarm'));
    expect(await alarm(token)).toMatchObject({ status: 200, body: { status: 'success', data: null } });
    expect(await app.ask('PUT', 'auth/update-address', { token: person.token, body })).toMatchObject(
      refusal('withdrawals_frozen'),
    );
  });

  test('of another network names the field', async () => {
    const person = await world.addPerson(500, null);
    const body = { network: 'ERC20', address: TRON, otp: '123456' };
    expect(await app.ask('PUT', 'auth/update-address', { token: person.token, body })).toMatchObject({
      status: 422,
      body: { code: 'invalid_address', validation_results: [{ field: 'address' }] },
    });
    const query = `purpose=address&network=SOL&address=${TRON}`;
    expect(await get(person, `auth/send-otp?${query}`)).toMatchObject({
      status: 422,
      body: { validation_results: [{ field: 'network' }] },
    });
  });
});
