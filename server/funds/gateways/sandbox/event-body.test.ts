import { expect, test } from 'vitest';
import { retryAfterSeconds, writeEventBody } from './deliver-events.ts';

const delivery = {
  event: { type: 'InvoiceSettled', fields: { manuallyMarked: false, overPaid: false } },
  invoiceId: 'inv',
  orderId: '7',
  occurredAt: new Date('2026-03-04T12:00:00.900Z'),
  deliveryId: 'one',
  originalDeliveryId: 'one',
};

test('the body has the fields, order and form of the real gateway', () => {
  expect(writeEventBody(delivery)).toBe(`{
  "manuallyMarked": false,
  "overPaid": false,
  "deliveryId": "one",
  "webhookId": "sandbox",
  "originalDeliveryId": "one",
  "isRedelivery": false,
  "type": "InvoiceSettled",
  "timestamp": 1772625600,
  "storeId": "sandbox",
  "invoiceId": "inv",
  "metadata": {
    "orderId": "7"
  }
}`);
});

test('tried again after 10 s, 1 min and six times 10 min, and only where it may help', () => {
  expect(Array.from({ length: 9 }, (_, index) => retryAfterSeconds(index + 1, 503))).toEqual([
    10,
    60,
    600,
    600,
    600,
    600,
    600,
    600,
    undefined,
  ]);
  for (const status of [null, 408, 429, 500, 502]) expect(retryAfterSeconds(1, status)).toBe(10);
  for (const status of [301, 400, 401, 404, 422]) expect(retryAfterSeconds(1, status)).toBeUndefined();
});
