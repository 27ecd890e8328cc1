import { beforeEach, describe, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { getInvoice, showInvoice, showPaymentMethods } from '#test/fake-servers/btcpay-invoices.ts';
import type { Answer } from '#test/fake-servers/serve-json.ts';
import { invoiceOrder, openGateway } from './gateway.test-setup.ts';

const at = await openGateway();
beforeEach(() => {
  at.node.invoices.clear();
  at.node.calls.splice(0);
  at.logged.splice(0);
});

const create = (order = invoiceOrder) => at.gateway.createInvoice(order);
const find = (invoiceId: string) => at.gateway.findInvoice(invoiceId);
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));

describe('an invoice', () => {
  test('is asked for with our order, our time to pay and a way back', async () => {
    const { invoice, payUrl } = await create();
    const made = at.node.invoices.get(invoice.id);
    expect(made?.metadata).toEqual({
      orderId: '7',
      reference: 'DP-7M2QX4',
      itemDesc: 'Deposit DP-7M2QX4',
      orderUrl: 'https://tradewind.example/payment/pending?deposit=7',
    });
    expect(made?.checkout).toEqual({
      speedPolicy: 'MediumSpeed',
      expirationMinutes: 60,
      monitoringMinutes: 1440,
      paymentTolerance: 0,
      lazyPaymentMethods: false,
      redirectURL: 'https://tradewind.example/payment/pending?deposit=7',
      redirectAutomatically: true,
    });
    expect(payUrl).toBe(`${at.node.url}/i/${invoice.id}`);
    expect(invoice).toMatchObject({
      orderId: '7',
      status: 'New',
      amountMicros: usd(100),
      paidMicros: 0n,
      settledMicros: 0n,
      paymentId: null,
      expiresAt: new Date((made?.expiresAt as number) * 1000),
    });
  });

  test('can be paid by scanning, and what is due there shrinks with every payment', async () => {
    const { invoice } = await create();
    expect(invoice.payWays).toEqual([
      {
        label: 'Bitcoin',
        destination: expect.stringMatching(/^bc1q/),
        payment_link: expect.stringMatching(/^bitcoin:bc1q.+\?amount=0\.00200000$/),
        due: '0.002',
        currency: 'BTC',
      },
      expect.objectContaining({ label: 'Lightning', due: '0.002' }),
    ]);
    at.node.pay(invoice.id, 40);
    expect((await find(invoice.id))?.payWays.map((way) => way.due)).toEqual(['0.0012', '0.0012']);
    at.node.pay(invoice.id, 60);
    expect((await find(invoice.id))?.payWays).toEqual([]);
  });

  test('counts payments in dollars at its own rate, and the confirmed ones apart', async () => {
    const { invoice } = await create();
    const first = at.node.pay(invoice.id, 40);
    at.node.confirm(invoice.id);
    at.node.pay(invoice.id, 80);
    at.node.rate = '90000';
    expect(await find(invoice.id)).toMatchObject({
      status: 'Processing',
      paidMicros: usd(120),
      settledMicros: usd(40),
      paymentId: first.replace('-0', ''),
    });
    at.node.replace(invoice.id);
    expect(await find(invoice.id)).toMatchObject({ status: 'New', paidMicros: usd(40), settledMicros: usd(40) });
    at.node.rate = '50000';
  });
});

describe('an invoice that an earlier try made', () => {
  test('is found again instead of a second one', async () => {
    at.node.interferences.push({ call: 'createInvoice', with: 'do_and_hang' });
    await expect(create()).rejects.toThrow(new Refused('gateway_unavailable'));
    const [made] = [...at.node.invoices.keys()];
    expect((await create()).invoice.id).toBe(made);
    expect(at.node.invoices.size).toBe(1);
  });

  test('is found again when only its payments could not be asked for', async () => {
    at.node.interferences.push({ call: 'listPaymentMethods', with: 'break' });
    await expect(create()).rejects.toThrow(new Refused('gateway_unavailable'));
    expect((await create()).payUrl).toContain([...at.node.invoices.keys()][0]);
    expect(at.node.invoices.size).toBe(1);
  });

  test('but not one of the same number from another database', async () => {
    const old = await create({ ...invoiceOrder, reference: 'DP-222222' });
    at.node.pay(old.invoice.id, 100);
    at.node.confirm(old.invoice.id);
    expect((await create()).invoice.id).not.toBe(old.invoice.id);
  });

  test('and not one that is over', async () => {
    const old = await create();
    at.node.expire(old.invoice.id);
    expect((await create()).invoice.id).not.toBe(old.invoice.id);
  });
});

describe('an invoice that is not ours', () => {
  test('is unknown when it does not exist or belongs to another store', async () => {
    const { invoice } = await create();
    expect(await find('no-such-invoice')).toBeUndefined();
    at.node.invoices.set(invoice.id, { ...getInvoice(at.node, invoice.id), storeId: 'another' });
    expect(await find(invoice.id)).toBeUndefined();
  });

  test('is not taken for the one that was asked for, nor one payment for two', async () => {
    const { invoice } = await create();
    at.node.pay(invoice.id, 100);
    const made = getInvoice(at.node, invoice.id);
    const twice = showPaymentMethods({ ...made, payments: [...made.payments, ...made.payments] });
    for (const [call, body] of [
      ['getInvoice', { ...showInvoice(at.node, made), id: 'another' }],
      ['listPaymentMethods', twice],
    ] as const) {
      at.node.interferences.push({ call, with: { status: 200, body } });
      await expect(find(invoice.id)).rejects.toThrow(new Refused('gateway_unavailable'));
    }
    expect(await find(invoice.id)).toMatchObject({ id: invoice.id, paidMicros: usd(100) });
  });

  test('cannot be reached by an id that leaves its path', async () => {
    expect(await find('../stores')).toBeUndefined();
    expect(at.node.calls).toEqual(['getInvoice']);
  });
});

describe('a gateway that cannot be used', () => {
  const answer = (status: number, body: unknown = {}): Answer => ({ status, body });

  test.each<[string, Answer | 'break' | 'do_and_hang']>([
    ['breaks the connection', 'break'],
    ['never answers', 'do_and_hang'],
    ['revoked our key', answer(401, { code: 'unauthenticated', message: 'Authentication is required' })],
    ['takes our permission away', answer(403, { code: 'missing-permission' })],
    ['has had enough of us', answer(429)],
    ['has a fault of its own', answer(500)],
    ['is being updated', answer(503)],
    ['sends us elsewhere', { status: 302, body: {}, headers: { location: 'http://127.0.0.1:1/' } }],
    ['answers with something else', answer(200, { id: 'x' })],
    ['answers with an amount that is none', answer(200, [{ amount: 'NaN' }])],
  ])('%s: refused, and the reason is in the log without the key', async (_, interference) => {
    const { invoice } = await create();
    for (const call of ['getInvoice', 'listPaymentMethods'] as const) {
      at.node.interferences.push({ call, with: interference });
      await expect(find(invoice.id)).rejects.toThrow(new Refused('gateway_unavailable'));
    }
    expect(at.logged).toHaveLength(2);
    expect(at.logged.join()).not.toContain(at.node.apiKey);
    expect(await find(invoice.id)).toMatchObject({ status: 'New' });
  });

  test('refuses the order: refused, with its words in the log', async () => {
    const refusal = answer(400, [{ path: 'currency', message: 'Invalid currency' }]);
    at.node.interferences.push({ call: 'createInvoice', with: refusal });
    await expect(create()).rejects.toThrow(new Refused('gateway_unavailable'));
    expect(at.logged.join()).toContain('Invalid currency');
  });

  test('is away', async () => {
    await at.node.goAway();
    await expect(create()).rejects.toThrow(new Refused('gateway_unavailable'));
    await at.node.comeBack();
    expect((await create()).invoice.status).toBe('New');
  });
});
