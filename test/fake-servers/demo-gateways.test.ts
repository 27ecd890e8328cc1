import { afterAll, expect, test } from 'vitest';
import { startBtcpay } from './btcpay.ts';
import { payDeposits } from './demo-gateways.ts';
import { startNowpayments } from './nowpayments.ts';

const clock = { ms: Date.parse('2026-03-04T12:00:00Z') };
const now = () => clock.ms;
const [store, node] = [await startBtcpay(now), await startNowpayments(now)];
afterAll(() => Promise.all([store.close(), node.close()]));

/** What the cents of a deposit make of it at both gateways. */
async function play(amount: number) {
  const call = (url: string, headers: Record<string, string>, body: object) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).then((reply) => reply.json());
  const at = `${store.url}/api/v1/stores/${store.storeId}/invoices`;
  const { id } = (await call(
    at,
    { authorization: `token ${store.apiKey}` },
    { amount: String(amount), currency: 'USD' },
  )) as { id: string };
  const order = { price_amount: amount, pay_currency: 'usdttrc20', order_id: `DP-${amount}`, ipn_callback_url: '' };
  await call(`${node.url}/v1/payment`, { 'x-api-key': node.apiKey }, order);
  for (let second = 0; second < 120; second += 1) {
    clock.ms += 1000;
    payDeposits(store, node, clock.ms);
  }
  const invoice = store.invoices.get(id);
  const payments = [...node.payments.values()].filter(({ orderId }) => orderId === order.order_id);
  return {
    btcpay: [invoice?.status, ...(invoice?.payments ?? []).map(({ status }) => status)],
    nowpayments: payments.map(({ status, currency, paid }) => `${status} ${currency} ${paid}`),
  };
}

test.each([
  [100, ['Settled', 'Settled'], ['finished usdttrc20 100']],
  [100.01, ['New', 'Settled'], ['partially_paid usdttrc20 50.005']],
  [100.02, ['Expired', 'Settled'], ['finished usdttrc20 100.02']],
  [100.03, ['Settled', 'Settled', 'Settled'], ['finished usdttrc20 100.03', 'finished usdttrc20 100.03']],
  [100.04, ['Settled', 'Settled'], ['waiting usdttrc20 0', 'finished trx 300.12']],
])('a deposit of $%d', async (amount, btcpay, nowpayments) => {
  expect(await play(amount)).toEqual({ btcpay, nowpayments });
});
