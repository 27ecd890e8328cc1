import { describe, expect, test } from 'vitest';
import type { InvoiceStatus } from './follow-invoice.ts';
import {
  amountOf,
  confirmPayments,
  expireInvoice,
  type InvoiceChange,
  invalidateInvoice,
  outcomeOf,
  receivePayment,
  type SandboxChoice,
  type SandboxInvoice,
  type SandboxPayment,
  sandboxChoices,
  viewOf,
} from './sandbox-invoice.ts';

const usd = (dollars: number) => BigInt(Math.round(dollars * 100)) * 10_000n;
const at = new Date('2026-03-04T12:00:00Z');
const payment = (
  dollars: number,
  status: SandboxPayment['status'] = 'Processing',
  afterExpiration = false,
): SandboxPayment => ({
  id: `p${dollars}`,
  amountMicros: usd(dollars),
  status,
  afterExpiration,
  receivedAt: at,
});
const invoice = (status: InvoiceStatus, ...payments: SandboxPayment[]): SandboxInvoice => ({
  status,
  additionalStatus: 'None',
  amountMicros: usd(100),
  payments,
});
const types = (change: InvoiceChange | undefined) => change?.events.map((event) => event.type);

describe('what a choice pays', () => {
  test.each<[SandboxChoice, SandboxInvoice, number | undefined, number | string]>([
    ['full', invoice('New'), undefined, 100],
    ['full', invoice('New', payment(40, 'Settled')), undefined, 60],
    ['less', invoice('New'), undefined, 50],
    ['less', invoice('New'), 99.99, 99.99],
    ['less', invoice('New'), 100, 'amount'],
    ['less', invoice('New'), 0, 'amount'],
    ['more', invoice('New'), undefined, 120],
    ['more', invoice('New', payment(40, 'Settled')), undefined, 80],
    ['more', invoice('New'), 100.01, 100.01],
    ['more', invoice('New'), 100, 'amount'],
    ['more', invoice('New'), 1_000_000, 1_000_000],
    ['more', invoice('New'), 1_000_000.01, 'amount'],
    ['late', invoice('New'), undefined, 100],
    ['fail', invoice('New'), undefined, 100],
    ['expire', invoice('New'), undefined, 0],
    ['again', invoice('New'), undefined, 'choice'],
    ['again', invoice('Settled', payment(100, 'Settled')), undefined, 100],
    ['again', invoice('Expired', payment(40, 'Settled')), undefined, 60],
    ['again', invoice('Processing', payment(100)), undefined, 'choice'],
  ])('%s', (choice, on, given, pays) => {
    expect(amountOf(choice, on, given === undefined ? undefined : usd(given))).toBe(
      typeof pays === 'number' ? usd(pays) : pays,
    );
  });

  test('a cent left to pay cannot be paid less', () => {
    expect(amountOf('less', invoice('New', payment(99.99, 'Settled')))).toBe('amount');
  });

  test('once the invoice is closed, only paying again is left', () => {
    for (const status of ['Settled', 'Expired', 'Invalid'] as const) {
      const possible = sandboxChoices.filter((choice) => typeof amountOf(choice, invoice(status)) === 'bigint');
      expect(possible).toEqual(['again']);
    }
  });
});

describe('payments', () => {
  test('in full: seen, then processing; confirmed, then settled', () => {
    const seen = receivePayment(invoice('New'), payment(100));
    expect(seen.status).toBe('Processing');
    expect(types(seen)).toEqual(['InvoiceReceivedPayment', 'InvoiceProcessing']);
    expect(seen.events[1]?.fields).toEqual({ overPaid: false });
    const confirmed = confirmPayments(invoice('Processing', payment(100)));
    expect(confirmed.status).toBe('Settled');
    expect(types(confirmed)).toEqual(['InvoicePaymentSettled', 'InvoiceSettled']);
    expect(confirmed.events[1]?.fields).toEqual({ manuallyMarked: false, overPaid: false });
  });

  test('less: stays new', () => {
    const seen = receivePayment(invoice('New'), payment(40));
    expect([seen.status, types(seen)]).toEqual(['New', ['InvoiceReceivedPayment']]);
    const confirmed = confirmPayments(invoice('New', payment(40)));
    expect([confirmed.status, types(confirmed)]).toEqual(['New', ['InvoicePaymentSettled']]);
  });

  test('more: settled and marked as over-paid', () => {
    const seen = receivePayment(invoice('New'), payment(120));
    expect([seen.status, seen.additionalStatus, seen.events[1]?.fields]).toEqual([
      'Processing',
      'PaidOver',
      { overPaid: true },
    ]);
    expect(confirmPayments(invoice('Processing', payment(120))).events[1]?.fields).toEqual({
      manuallyMarked: false,
      overPaid: true,
    });
  });

  test('late: stays expired, says paid late, once', () => {
    const late = payment(100, 'Processing', true);
    const seen = receivePayment(invoice('Expired'), late);
    expect([seen.status, types(seen)]).toEqual(['Expired', ['InvoiceReceivedPayment']]);
    expect(seen.events[0]?.fields).toMatchObject({ afterExpiration: true });
    const confirmed = confirmPayments(invoice('Expired', late));
    expect([confirmed.status, confirmed.additionalStatus]).toEqual(['Expired', 'PaidLate']);
    expect(types(confirmed)).toEqual(['InvoicePaymentSettled', 'InvoicePaidAfterExpiration']);
    expect(
      types(confirmPayments({ ...invoice('Expired', { ...late, status: 'Settled' }), additionalStatus: 'PaidLate' })),
    ).toEqual([]);
  });

  test('part of it late: stays expired, paid in part', () => {
    expect(confirmPayments(invoice('Expired', payment(40, 'Processing', true)))).toMatchObject({
      status: 'Expired',
      additionalStatus: 'PaidPartial',
    });
  });

  test('again after settling: over-paid, and nothing settles a second time', () => {
    const confirmed = confirmPayments(invoice('Settled', payment(100, 'Settled'), payment(30)));
    expect([confirmed.status, confirmed.additionalStatus, types(confirmed)]).toEqual([
      'Settled',
      'PaidOver',
      ['InvoicePaymentSettled'],
    ]);
  });

  test('never confirmed: invalid, unless it settled meanwhile', () => {
    expect(invalidateInvoice(invoice('Processing', payment(100)))).toMatchObject({ status: 'Invalid' });
    expect(invalidateInvoice(invoice('Settled', payment(100, 'Settled')))).toBeUndefined();
  });
});

test('only a waiting invoice expires, and says whether a part was paid', () => {
  expect(expireInvoice(invoice('New'))?.events).toEqual([{ type: 'InvoiceExpired', fields: { partiallyPaid: false } }]);
  expect(types(expireInvoice(invoice('New', payment(40))))).toEqual(['InvoiceExpired', 'InvoiceExpiredPaidPartial']);
  for (const status of ['Processing', 'Settled', 'Expired', 'Invalid'] as const)
    expect(expireInvoice(invoice(status))).toBeUndefined();
});

test('what is reported: rejected payments count for nothing, unconfirmed ones as paid only', () => {
  const seen = viewOf(invoice('New', payment(10, 'Settled'), payment(20), payment(40, 'Invalid')));
  expect([seen.paidMicros, seen.settledMicros]).toEqual([usd(30), usd(10)]);
});

test('where the payer is sent', () => {
  expect(outcomeOf(invoice('Settled'))).toBe('success');
  expect(outcomeOf(invoice('New', payment(40, 'Settled')))).toBe('pending');
  expect(outcomeOf(invoice('Expired', payment(40, 'Settled')))).toBe('pending');
  expect(outcomeOf(invoice('Expired'))).toBe('cancelled');
  expect(outcomeOf(invoice('Invalid', payment(100, 'Invalid')))).toBe('failed');
});
