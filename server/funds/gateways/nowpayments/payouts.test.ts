import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type NowpaymentsCall, nowpaymentsPayerEnv, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import type { Interference } from '#test/fake-servers/serve-json.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { OutcomeUnknown, type PayoutOrder } from '../gateway.ts';
import { nowpaymentsGateway } from './gateway.ts';

/** Only a call that hangs takes so long. */
const HUNG_MS = 1000;
const node = closeAfterAll(await startNowpayments());
const { made, settings } = node.payouts;
const logged: string[] = [];
let now = Date.parse('2026-03-02T10:00:00Z');
node.clock.now = () => now;
const contextOf = (env: Record<string, string> = {}): Context => ({
  config: testConfig({ ...nowpaymentsPayerEnv(node), ...env }),
  log: pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) }),
  now: () => new Date(now),
  db: {} as Db,
});
let gateway = nowpaymentsGateway(contextOf(), HUNG_MS);
beforeEach(() => {
  for (const list of [made, logged, node.calls, node.interferences]) list.splice(0);
  Object.assign(settings, { listAs: 'payouts', firstPage: 0, maxOnPage: 100 });
  // As in another process: nothing is remembered.
  gateway = nowpaymentsGateway(contextOf(), HUNG_MS);
});

const order: PayoutOrder = {
  reference: 'WD-7M2QX4',
  network: 'TRC20',
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  amountMicros: 990_123_456n,
  units: null,
};
const pay = (of: Partial<PayoutOrder> = {}) => gateway.createPayout({ ...order, ...of });
const confirm = (id: string, of: Partial<PayoutOrder> = {}) => gateway.confirmPayout?.(id, { ...order, ...of });
const count = (call: NowpaymentsCall) => node.calls.filter((one) => one === call).length;
const interfere = (call: NowpaymentsCall, how: Exclude<Interference, 'delay'>) =>
  node.interferences.push({ call, with: how });
const answer = (status: number, body: unknown = {}) => ({ status, body });
const refused = new Refused('gateway_unavailable');

test('USDT is paid out, on its three networks, where an account for it is set', () => {
  const networks = ['BTC', 'TRC20', 'BEP20', 'ERC20'] as const;
  expect(networks.map(gateway.canPay)).toEqual([false, true, true, true]);
  const byHand = { NOWPAYMENTS_EMAIL: '', NOWPAYMENTS_PASSWORD: '', NOWPAYMENTS_TOTP_SECRET: '' };
  expect(networks.map(nowpaymentsGateway(contextOf(byHand)).canPay)).toEqual([false, false, false, false]);
});

describe('a payout', () => {
  test.each([
    ['TRC20', 'usdttrc20'],
    ['BEP20', 'usdtbsc'],
    ['ERC20', 'usdterc20'],
  ] as const)(
    'on %s is a batch of one in %s with our reference, held until it is confirmed',
    async (network, currency) => {
      const payout = await pay({ network });
      expect(made).toMatchObject([{ currency, amount: 990.123456, address: order.address, reference: 'WD-7M2QX4' }]);
      expect(payout).toEqual({
        id: made[0]?.id,
        state: 'unconfirmed',
        transaction: null,
        units: null,
        networkFeeMicros: null,
      });
      const wanted = { ...order, network };
      expect(await gateway.getPayout(payout.id, wanted)).toEqual(payout);
      await confirm(payout.id, { network });
      expect(made[0]).toMatchObject({ status: 'PROCESSING', attempts: 1 });
      expect(await gateway.getPayout(payout.id, wanted)).toEqual({ ...payout, state: 'waiting' });
    },
  );

  test('is completed with its transaction and what the network took, as number or as text', async () => {
    for (const id of [(await pay()).id, (await pay()).id]) {
      await confirm(id);
      node.payouts.send(id);
      const { hash: transaction } = node.payouts.get(id);
      const sent = { id, transaction, units: null, networkFeeMicros: 1_200_000n };
      expect(await gateway.getPayout(id, order)).toEqual({ ...sent, state: 'waiting' });
      node.payouts.finish(id);
      expect(await gateway.getPayout(id, order)).toEqual({ ...sent, state: 'completed' });
    }
    node.payouts.get(made[0]?.id as string).fee = 'much';
    expect(await gateway.getPayout(made[0]?.id as string, order)).toMatchObject({
      state: 'completed',
      networkFeeMicros: null,
    });
  });

  test.each(['REJECTED', 'FAILED'] as const)('that is %s was cancelled', async (status) => {
    const { id } = await pay();
    Object.assign(node.payouts.get(id), { status });
    expect(await gateway.getPayout(id, order)).toMatchObject({ state: 'cancelled', transaction: null });
    node.payouts.get(id).hash = 'abcdef';
    expect(await gateway.getPayout(id, order)).toMatchObject({ state: 'cancelled', transaction: 'abcdef' });
  });

  test('with only the required fields is read', async () => {
    const bare = { address: order.address, currency: 'usdttrc20', amount: '990.123456' };
    for (const [status, state] of [
      ['creating', 'unconfirmed'],
      ['WAITING', 'unconfirmed'],
      ['finished', 'completed'],
    ]) {
      interfere('getPayout', answer(200, [{ ...bare, status }]));
      expect(await gateway.getPayout('1', order)).toMatchObject({ state, transaction: null, networkFeeMicros: null });
    }
  });

  test('in a state that nobody knows waits', async () => {
    const { id } = await pay();
    Object.assign(node.payouts.get(id), { status: 'SOMETHING_NEW' });
    expect(await gateway.getPayout(id, order)).toMatchObject({ state: 'waiting' });
    expect(await gateway.getPayout('99', order)).toBeUndefined();
  });
});

describe('confirming', () => {
  test('is tried again after a while, with the code of then, ten times in the hour at most', async () => {
    const { id } = await pay();
    const right = node.payouts.totpSecret;
    gateway = nowpaymentsGateway(contextOf({ NOWPAYMENTS_TOTP_SECRET: right.split('').reverse().join('') }), HUNG_MS);
    await expect(confirm(id)).rejects.toThrow(refused);
    for (let minute = 1; minute < 60; minute += 1) {
      now += 60_000;
      await confirm(id)?.catch(() => {});
    }
    expect(node.payouts.get(id)).toMatchObject({ status: 'CREATING', attempts: 10 });
    now += 120_000;
    expect(await gateway.getPayout(id, order)).toMatchObject({ state: 'cancelled' });
  });

  test('whose answer is lost shows when the payout is looked at, and is not repeated', async () => {
    const { id } = await pay();
    interfere('verifyPayout', 'do_and_hang');
    await expect(confirm(id)).rejects.toThrow(refused);
    expect(await gateway.getPayout(id, order)).toMatchObject({ state: 'waiting' });
    now += 3_600_000;
    await confirm(id);
    expect(node.payouts.get(id).attempts).toBe(1);
  });

  test.each<[string, Partial<PayoutOrder>]>([
    ['another address', { address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9' }],
    ['another amount', { amountMicros: 990_123_455n }],
    ['another network', { network: 'ERC20' }],
  ])('is not done for a payout to %s, which is uncertain unless it was cancelled', async (_, other) => {
    const { id } = await pay();
    const look = () => gateway.getPayout(id, { ...order, ...other });
    await confirm(id, other);
    expect(node.payouts.get(id).attempts).toBe(0);
    expect(await look()).toMatchObject({ state: 'uncertain' });
    node.payouts.get(id).status = 'FINISHED';
    expect(await look()).toMatchObject({ state: 'uncertain' });
    node.payouts.get(id).status = 'REJECTED';
    expect(await look()).toMatchObject({ state: 'cancelled' });
  });
});

describe('looking for a reference', () => {
  test.each([
    ['as pages named payouts', { listAs: 'payouts' }],
    ['as pages named data, the first of them 1', { listAs: 'data', firstPage: 1 }],
    ['as mere lists, two at a time', { listAs: null, maxOnPage: 2 }],
  ])('reads the list %s', async (_, how) => {
    Object.assign(settings, how);
    expect(await gateway.findPayout(order)).toBeUndefined();
    const rejected = await pay();
    const living = await pay();
    for (let index = 0; index < 5; index += 1) await pay({ reference: `WD-OTHER${index}` });
    node.payouts.get(rejected.id).status = 'REJECTED';
    expect(await gateway.findPayout(order)).toEqual(living);
    node.payouts.get(living.id).status = 'FAILED';
    expect(await gateway.findPayout(order)).toMatchObject({ state: 'cancelled' });
    expect(await gateway.findPayout({ ...order, reference: 'WD-NOBODY' })).toBeUndefined();
  });

  test('ends where all is older than what is looked for', async () => {
    settings.maxOnPage = 1;
    for (let index = 0; index < 5; index += 1) {
      await pay({ reference: `WD-OTHER${index}` });
      now += 86_400_000;
    }
    await gateway.findPayout(order, new Date(now - 1.5 * 86_400_000));
    expect(count('listPayouts')).toBe(2);
  });

  const row = (id: string, at = new Date().toISOString()) => ({
    batch_withdrawal_id: id,
    unique_external_id: null,
    created_at: at,
  });
  test.each<[string, unknown[]]>([
    ['which never comes to an end', Array.from({ length: 3 }, () => [row('1')])],
    ['which is in another order', [[row('1', '2026-03-01T00:00:00Z'), row('2', '2026-03-02T00:00:00Z')]]],
    ['which does not say the references', [[{ ...row('1'), unique_external_id: undefined }]]],
    ['which is none', [{ ok: true }]],
  ])('takes no list for an answer %s', async (_, pages) => {
    for (const page of pages) interfere('listPayouts', answer(200, page));
    await expect(gateway.findPayout(order)).rejects.toThrow(refused);
  });

  test('finds a batch with several payouts that someone made with our reference, and does not take it for one of ours', async () => {
    const { id } = await pay({ reference: null as unknown as string });
    const rows = [null, order.reference].map((reference) => ({ ...row(id), unique_external_id: reference }));
    interfere('listPayouts', answer(200, rows));
    interfere('getPayout', answer(200, [made[0], made[0]]));
    await expect(gateway.findPayout(order)).rejects.toThrow(refused);
  });

  test('says when it could not look', async () => {
    for (const how of ['break', 'do_and_hang', answer(500), answer(403), answer(200, {})] as const) {
      interfere('listPayouts', how);
      await expect(gateway.findPayout(order)).rejects.toThrow(refused);
      interfere('getPayout', how);
      await expect(gateway.getPayout('1', order)).rejects.toThrow(refused);
    }
  });
});

describe('it is certain that nothing was created', () => {
  test.each<[string, NowpaymentsCall, Exclude<Interference, 'delay'>]>([
    ['signing in is not answered', 'signIn', 'do_and_hang'],
    ['signing in is refused', 'signIn', answer(403)],
    ['signing in gives no token', 'signIn', answer(200, {})],
    ['the order is refused', 'createPayout', answer(400, { code: 'BAD_CREATE_WITHDRAWAL_REQUEST' })],
    ['our address may not pay', 'createPayout', answer(403, { message: 'Access denied | Invalid IP' })],
    ['we ask too often', 'createPayout', answer(429)],
  ])('when %s', async (_, call, how) => {
    interfere(call, how);
    await expect(pay()).rejects.toThrow(refused);
    expect(made).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  test('when nobody answers at all', async () => {
    await node.goAway();
    await expect(pay()).rejects.toThrow(refused);
    await node.comeBack();
    expect(made).toEqual([]);
  });
});

test.each<[string, Exclude<Interference, 'delay'>, number]>([
  ['no answer comes, though it was done', 'do_and_hang', 1],
  ['the connection breaks after it was done', 'do_and_break', 1],
  ['the connection breaks before it was done', 'break', 0],
  ['the gateway has a fault', answer(500), 0],
  ['something between waited too long', answer(408), 0],
  ['we are sent elsewhere', { ...answer(303), headers: { location: 'http://127.0.0.1:1/' } }, 0],
  ['the answer cannot be read', answer(200, { ok: true }), 0],
])('the outcome is unknown when %s', async (_, how, there) => {
  interfere('createPayout', how);
  await expect(pay()).rejects.toThrow(OutcomeUnknown);
  expect(made).toHaveLength(there);
  expect((await gateway.findPayout(order))?.id).toBe(made[0]?.id);
});

describe('the token', () => {
  test('is requested once per lifetime, however many calls need it at once, and again after it expires or is refused', async () => {
    await Promise.all([pay({ reference: 'WD-A' }), pay({ reference: 'WD-B' }), gateway.getPayout('1', order)]);
    expect(count('signIn')).toBe(1);
    now += 5 * 60_000;
    await pay({ reference: 'WD-C' });
    expect(count('signIn')).toBe(2);
    node.payouts.endTokens();
    await pay({ reference: 'WD-D' });
    expect([count('signIn'), made.map(({ reference }) => reference)]).toEqual([3, ['WD-A', 'WD-B', 'WD-C', 'WD-D']]);
  });

  test('and the password, the secret and the codes are never logged', async () => {
    const { id } = await pay();
    for (const call of ['signIn', 'verifyPayout', 'getPayout'] as const)
      interfere(call, answer(500, { message: 'no' }));
    node.payouts.endTokens();
    await confirm(id)?.catch(() => {});
    await confirm(id)?.catch(() => {});
    await gateway.getPayout(id, order).catch(() => {});
    expect(logged.length).toBeGreaterThan(1);
    for (const secret of [node.payouts.password, node.payouts.totpSecret, 'Bearer', 'verification_code', 'e30.'])
      expect(logged.join('\n')).not.toContain(secret);
  });
});

describe('the network fee', () => {
  test('is estimated in dollars, also where no payout can be made', async () => {
    const web = nowpaymentsGateway(contextOf({ JOBS: 'off', NOWPAYMENTS_PASSWORD: '', NOWPAYMENTS_TOTP_SECRET: '' }));
    expect(await web.estimateNetworkFee?.('TRC20')).toBe(1_200_000n);
    expect(await web.estimateNetworkFee?.('ERC20')).toBe(2_750_000n);
    expect(await web.estimateNetworkFee?.('BTC')).toBeUndefined();
    expect(web.canPay('TRC20')).toBe(true);
    for (const asked of [() => web.createPayout(order), () => web.findPayout(order), () => web.getPayout('1', order)])
      await expect(asked()).rejects.toThrow('payouts are made by the worker');
    expect(node.calls).toEqual(['getPayoutFee', 'getPayoutFee']);
  });

  test.each<[string, Exclude<Interference, 'delay'>]>([
    ['nobody answers', 'do_and_hang'],
    ['it is told in another coin', answer(200, { currency: 'trx', fee: 13 })],
    ['it is no number', answer(200, { currency: 'usdttrc20', fee: null })],
  ])('is not known when %s', async (_, how) => {
    interfere('getPayoutFee', how);
    await expect(gateway.estimateNetworkFee?.('TRC20')).rejects.toThrow(refused);
  });
});
