import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readInvoice } from './invoices.ts';
import { invoiceShape, paymentMethodShape, toDollars, toMicros } from './shapes.ts';

type Fixtures = { created: object; settled: object; paymentMethods: object[] };
const { created, settled, paymentMethods }: Fixtures = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/fake-servers/fixtures/btcpay-invoices.json'), 'utf8'),
);
/** The recorded rows are of version 1; fields with other names in version 2 are renamed. */
const asVersion2 = paymentMethods.map((row) => ({ ...row, paymentMethodId: 'XMR-CHAIN', currency: 'XMR' }));
const methods = (rows: object[]) => z.array(paymentMethodShape).parse(rows);

describe('recorded replies', () => {
  test('a new invoice', () => {
    expect(readInvoice(invoiceShape.parse(created), [])).toMatchObject({
      id: '8euF5EoEK1zeDVkBnoWbuP',
      orderId: '',
      status: 'New',
      amountMicros: 1_000_000n,
      expiresAt: new Date(1675427808 * 1000),
    });
  });

  test('a settled invoice of version 2', () => {
    expect(readInvoice(invoiceShape.parse(settled), [])).toMatchObject({ orderId: 'dep_0001', status: 'Settled' });
  });

  test('a payment of 0.00015297 at 0.006537 is less than a micro', () => {
    const seen = readInvoice(invoiceShape.parse(settled), methods(asVersion2));
    expect(seen).toMatchObject({ paidMicros: 0n, settledMicros: 0n, payWays: [] });
    expect(seen.paymentId).toBe('5ed3a4b1afcbb2276e01c2197aadc1952716cc3c824981e0ce284376d32ac44e#0#104');
  });
});

const [row] = asVersion2;
const paid = (rate: unknown, ...payments: [value: string, status: string][]) =>
  readInvoice(
    invoiceShape.parse(settled),
    methods([
      {
        ...row,
        rate,
        payments: payments.map(([value, status], index) => ({ id: `p${index}`, receivedDate: index, value, status })),
      },
    ]),
  );

describe('dollars of payments', () => {
  test('are summed exactly and rounded down once', () => {
    expect(paid('50000.55', ['0.002', 'Settled'], ['0.001', 'Settled']).settledMicros).toBe(150_001_650n);
    // Each alone would lose its half micro.
    expect(paid('1', ['0.0000005', 'Settled'], ['0.0000005', 'Settled']).settledMicros).toBe(1n);
    expect(paid('1', ['0.0000009', 'Settled']).settledMicros).toBe(0n);
  });

  test('keep every digit, however long the numbers are', () => {
    expect(paid('99.99999999999999999999999999', ['1', 'Settled']).settledMicros).toBe(99_999_999n);
    // 15 530 × 64 392.23 = 1 000 011 331.9, and the last digit adds 0.000 064 392 23.
    expect(paid('64392.23', ['15530.000000001', 'Settled']).settledMicros).toBe(1_000_011_331_900_064n);
  });

  test('leave out what was replaced, and hold apart what waits', () => {
    const seen = paid(50_000, ['1', 'Invalid'], ['0.002', 'Processing'], ['0.001', 'Settled']);
    expect(seen).toMatchObject({ paidMicros: 150_000_000n, settledMicros: 50_000_000n, paymentId: 'p1' });
  });

  test.each(['-1', '1e400', 'NaN', '', '0x10', 'Infinity'])('a value of %s is no payment', (value) => {
    expect(() => paid('1', [value, 'Settled'])).toThrow(/"value"/);
  });

  test.each(['0', '-5', 'free', null])('a rate of %s is no rate', (rate) => {
    expect(() => paid(rate, ['1', 'Settled'])).toThrow(/"rate"/);
  });

  test('go to micros and back', () => {
    expect(toMicros(toDollars(9_007_199_254_740_993n))).toBe(9_007_199_254_740_993n);
    expect(toDollars(12_500_000n).toFixed()).toBe('12.5');
  });
});

test('of a store that takes other coins as well, the coins are Bitcoin’s alone', () => {
  const payment = { id: 'one', receivedDate: 1, value: '0.002', status: 'Settled' };
  const bitcoin = {
    ...row,
    currency: 'BTC',
    rate: '50000',
    payments: [payment, { ...payment, id: 'two', status: 'Processing' }],
  };
  const seen = readInvoice(
    invoiceShape.parse(settled),
    methods([bitcoin, { ...row, rate: '2', payments: [{ ...payment, value: '3' }] }]),
  );
  expect(seen).toMatchObject({
    settledMicros: 106_000_000n,
    coins: { units: '0.002', micros: 100_000_000n, seen: '0.004' },
  });
});
