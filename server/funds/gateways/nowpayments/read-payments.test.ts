import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KnownInvoice } from '../gateway.ts';
import { readPayments } from './read-payments.ts';
import { type PaymentStatus, paymentShape } from './shapes.ts';

const expiresAt = new Date('2026-03-04T13:00:00Z');
const inTime = new Date('2026-03-04T12:30:00Z');
const after = new Date('2026-03-04T13:10:00Z');
const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6));
const known: KnownInvoice = {
  payWith: 'TRC20',
  amountMicros: usd(100),
  expiresAt,
  isPending: false,
  bookedMicros: 0n,
  refundedMicros: 0n,
};

const payment = (status: PaymentStatus, paid: number | string, more: object = {}) =>
  paymentShape.parse({
    payment_id: 5_800_000_001,
    payment_status: status,
    pay_address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    price_amount: 100,
    price_currency: 'usd',
    pay_amount: 100,
    actually_paid: paid,
    pay_currency: 'usdttrc20',
    order_id: '7',
    updated_at: inTime.toISOString(),
    ...more,
  });
const later = (status: PaymentStatus, paid: number, more: object = {}) =>
  payment(status, paid, { payment_id: 5_800_000_009, parent_payment_id: 5_800_000_001, ...more });
const late = { updated_at: after.toISOString() };

describe('one payment', () => {
  test.each<[PaymentStatus, number | string, object, Date, Partial<KnownInvoice>, string, number, number]>([
    ['waiting', 0, {}, inTime, {}, 'New', 0, 0],
    ['waiting', 0, {}, after, {}, 'Expired', 0, 0],
    ['expired', 0, {}, inTime, {}, 'Expired', 0, 0],
    ['cancelled', 0, {}, inTime, {}, 'Expired', 0, 0],
    ['confirming', 100, {}, inTime, {}, 'Processing', 100, 0],
    ['confirming', 0, {}, inTime, {}, 'Processing', 100, 0],
    ['confirmed', 100, {}, inTime, {}, 'Processing', 100, 0],
    ['sending', '100', {}, inTime, {}, 'Processing', 100, 0],
    ['confirming', 100, late, after, {}, 'Expired', 100, 0],
    ['confirming', 100, late, after, { isPending: true }, 'Processing', 100, 0],
    ['confirming', 100, {}, after, {}, 'Processing', 100, 0],
    ['finished', 100, {}, inTime, {}, 'Settled', 100, 100],
    ['finished', '100.0000009', {}, inTime, {}, 'Settled', 100, 100],
    ['finished', 120, {}, inTime, {}, 'Settled', 120, 120],
    ['finished', 0, {}, inTime, {}, 'Settled', 0, 0],
    ['finished', 60, {}, inTime, {}, 'New', 60, 60],
    ['finished', 100, late, after, {}, 'Expired', 100, 100],
    ['finished', 100, late, after, { isPending: true }, 'Settled', 100, 100],
    ['partially_paid', 60, {}, inTime, {}, 'New', 60, 60],
    ['partially_paid', 60, {}, after, { isPending: true }, 'Expired', 60, 60],
    ['failed', 100, {}, inTime, {}, 'Invalid', 0, 0],
    ['refunded', 100, {}, inTime, {}, 'Invalid', 0, 0],
  ])('%s with %s %o at %s, known %o: %s', (status, paid, more, now, seen, expected, paidDollars, settledDollars) => {
    const invoice = readPayments(payment(status, paid, more), [], { ...known, ...seen }, now);
    expect(invoice).toMatchObject({
      id: '5800000001',
      orderId: '7',
      status: expected,
      amountMicros: usd(100),
      paidMicros: usd(paidDollars),
      settledMicros: usd(settledDollars),
    });
    expect(invoice.mismatch).toBeUndefined();
  });

  test('says where to pay how much, and how much of it is left', () => {
    const way = { label: 'USDT on Tron (TRC20)', destination: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', currency: 'USDT' };
    const waysOf = (...args: Parameters<typeof payment>) => readPayments(payment(...args), [], known, inTime).payWays;
    expect(waysOf('waiting', 0)).toEqual([{ ...way, payment_link: way.destination, due: '100' }]);
    expect(waysOf('partially_paid', 60.5)).toMatchObject([{ ...way, due: '39.5' }]);
    expect(waysOf('waiting', 0, { payin_extra_id: 88 })).toMatchObject([{ memo: '88' }]);
    expect(waysOf('finished', 100)).toEqual([]);
  });

  test('in another coin than was asked for is held, with the USDT that came of it', () => {
    const other = { pay_currency: 'trx', outcome_amount: 31.5, outcome_currency: 'usdttrc20' };
    const view = readPayments(payment('finished', 120, other), [], known, inTime);
    expect(view).toMatchObject({ status: 'New', settledMicros: usd(31.5), mismatch: { heldMicros: usd(31.5) } });
    const unknown = { ...other, outcome_currency: 'btc' };
    expect(readPayments(payment('finished', 120, unknown), [], known, inTime)).toMatchObject({
      settledMicros: 0n,
      mismatch: { heldMicros: 0n },
    });
    // USDT on a network that was not chosen is another coin, too, though its value is known.
    expect(readPayments(payment('finished', 100, { pay_currency: 'usdterc20' }), [], known, inTime)).toMatchObject({
      settledMicros: usd(100),
      mismatch: { heldMicros: usd(100) },
    });
  });
});

describe('later payments to the same address', () => {
  test('are held, whatever became of the first', () => {
    const settled = readPayments(payment('finished', 100), [later('finished', 40)], known, inTime);
    expect(settled).toMatchObject({ status: 'Settled', settledMicros: usd(140), mismatch: { heldMicros: usd(40) } });
    const short = readPayments(payment('partially_paid', 60), [later('finished', 40)], known, inTime);
    expect(short).toMatchObject({ status: 'New', settledMicros: usd(100), mismatch: { heldMicros: usd(40) } });
  });

  test('that nobody has seen yet are nothing', () => {
    const view = readPayments(payment('finished', 100), [later('waiting', 0), later('failed', 5)], known, inTime);
    expect(view.mismatch).toBeUndefined();
    expect(view.settledMicros).toBe(usd(100));
  });

  test('that are not confirmed are seen and worth nothing yet', () => {
    const view = readPayments(payment('waiting', 0), [later('confirming', 40)], known, inTime);
    expect(view).toMatchObject({ status: 'New', paidMicros: usd(40), settledMicros: 0n, mismatch: { heldMicros: 0n } });
  });
});

describe('once money was booked', () => {
  const booked = { ...known, bookedMicros: usd(100) };
  test.each<PaymentStatus>(['waiting', 'confirming', 'confirmed', 'sending', 'partially_paid', 'expired'])(
    '%s is an answer from before',
    (status) => {
      const view = readPayments(payment(status, 0), [], booked, after);
      expect(view).toMatchObject({ status: 'Settled', settledMicros: usd(100), paidMicros: usd(100) });
    },
  );

  test.each<PaymentStatus>(['failed', 'refunded'])('%s takes it back', (status) => {
    expect(readPayments(payment(status, 100), [], booked, after)).toMatchObject({
      status: 'Invalid',
      settledMicros: 0n,
    });
    const both = { ...known, bookedMicros: usd(130) };
    expect(readPayments(payment('finished', 100), [later(status, 30)], both, after)).toMatchObject({
      settledMicros: usd(100),
      paidMicros: usd(100),
    });
    // One that was never booked takes nothing back.
    expect(readPayments(payment('finished', 100), [later(status, 30)], booked, after).settledMicros).toBe(usd(100));
  });

  test('what an operator refunded stays counted, as it stays booked', () => {
    const refunded = { ...known, bookedMicros: usd(130), refundedMicros: usd(30) };
    const settledOf = (...payments: Parameters<typeof readPayments>[1]) =>
      readPayments(payment('finished', 100), payments, refunded, after).settledMicros;
    expect(settledOf(later('refunded', 30))).toBe(usd(130));
    expect(settledOf(later('refunded', 30), later('finished', 50))).toBe(usd(180));
    // Another that failed was never received.
    expect(settledOf(later('finished', 30), later('failed', 20))).toBe(usd(130));
    const first = { ...known, bookedMicros: usd(100), refundedMicros: usd(100) };
    expect(readPayments(payment('refunded', 100), [later('finished', 50)], first, after)).toMatchObject({
      settledMicros: usd(150),
      paidMicros: usd(150),
    });
  });
});

test("the vendor's own examples of replies are read", () => {
  const { created, found } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../test/fake-servers/fixtures/nowpayments-payments.json'), 'utf8'),
  );
  expect(paymentShape.parse(created)).toMatchObject({ payment_id: '5745459419', payment_status: 'waiting' });
  expect(paymentShape.parse(found)).toMatchObject({ payment_id: '6249365965', payment_extra_ids: ['5513339153'] });
  for (const odd of [{ pay_amount: -1 }, { pay_amount: 'NaN' }, { payment_id: '../x' }, { payment_status: 'danced' }])
    expect(paymentShape.safeParse({ ...found, ...odd }).success).toBe(false);
});
