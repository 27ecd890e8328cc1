import { type Config, readConfig } from '#server/config.ts';
import { startEmailServer } from '#server/notify/email/email-server.test-setup.ts';
import { btcpayEnv, startBtcpay } from './btcpay.ts';
import { postDelivery } from './btcpay-webhooks.ts';
import { nowpaymentsPayerEnv, startNowpayments } from './nowpayments.ts';

/** The interval at which payments and payouts advance to their next status. */
const STEP_MS = 10_000;
const STRANGE_MS = 26 * 3_600_000;

/**
 * Both gateways, for trying by hand: every requested amount is paid in full, status by status, and emails are printed.
 *
 * @returns the settings of a server that takes payments here; paper mode does not read them from the environment
 */
export async function startDemoGateways(publicUrl: string): Promise<Partial<Config>> {
  const [store, node, mails] = await Promise.all([startBtcpay(), startNowpayments(), startEmailServer()]);
  store.wallets.set('BTC-CHAIN', '5');
  // A transaction that nobody ordered, which the gateway statement must report.
  store.strange.push({ hash: 'e7'.repeat(32), amount: '-0.0125', at: Date.now() - STRANGE_MS });
  node.balance.set('usdttrc20', { amount: 100_000, pendingAmount: 0 });
  const isDue = (since: number) => Date.now() - since > STEP_MS;
  const goOn = async () => {
    for (const invoice of store.invoices.values()) {
      if (invoice.status === 'New' && isDue(invoice.createdAt * 1000)) store.pay(invoice.id, invoice.amount.toFixed());
      else if (invoice.status === 'Processing' && isDue(invoice.createdAt * 1000 + STEP_MS)) store.confirm(invoice.id);
    }
    for (const { id, status, payAmount, updatedAt } of node.payments.values()) {
      if (status === 'waiting' && isDue(updatedAt)) node.pay(id, payAmount);
      else if (status === 'confirming' && isDue(updatedAt)) node.finish(id);
    }
    for (const { id, state, createdAt } of store.payouts)
      if (state === 'AwaitingPayment' && isDue(createdAt * 1000)) store.completePayout(id);
    for (const { id, status, requestedAt } of node.payouts.made)
      if (status === 'PROCESSING' && isDue(requestedAt ?? 0)) node.payouts.finish(id);
    for (const { content } of mails.received.splice(0)) console.log(content.replaceAll(/=\r?\n/g, ''));
    await node.tell();
    await store.outbox.sendDue((delivery) => postDelivery(`${publicUrl}/api/v1/webhooks/btcpay`, delivery));
  };
  let last = Promise.resolve();
  setInterval(() => {
    last = last.then(goOn).catch((error: unknown) => console.error(error));
  }, 1000).unref();
  const env = {
    ...btcpayEnv(store),
    ...nowpaymentsPayerEnv(node),
    PAYMENTS: 'btcpay,nowpayments',
    PUBLIC_URL: publicUrl,
  };
  const { payments, btcpay, nowpayments } = readConfig(env);
  return { payments, btcpay, nowpayments, publicUrl, smtpUrl: mails.url };
}
