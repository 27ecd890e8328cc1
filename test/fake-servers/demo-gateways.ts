import { type Config, readConfig } from '#server/config.ts';
import { startEmailServer } from '#server/notify/email/email-server.test-setup.ts';
import { btcpayEnv, type FakeBtcpay, startBtcpay } from './btcpay.ts';
import { postDelivery } from './btcpay-webhooks.ts';
import { type FakeNowpayments, nowpaymentsPayerEnv, startNowpayments } from './nowpayments.ts';

/** The interval at which payments and payouts advance to their next status. */
const STEP_MS = 10_000;
const STRANGE_MS = 26 * 3_600_000;

/**
 * Both gateways, for trying by hand: deposits are paid by `payDeposits`, payouts in full, status by
 * status, and emails are printed.
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
    payDeposits(store, node, Date.now());
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

/**
 * Pays what is due, each step ten seconds after the one before. The cents of a deposit say how: .01 half, .02 after it
 * expired, .03 twice, .04 in another coin (USDT networks only), and in full otherwise.
 */
export function payDeposits(
  store: Pick<FakeBtcpay, 'invoices' | 'pay' | 'confirm' | 'expire'>,
  node: FakeNowpayments,
  now: number,
): void {
  for (const { id, amount, status, createdAt, payments } of store.invoices.values()) {
    const cents = amount.times(100).mod(100).toNumber();
    const step = Math.floor((now - createdAt * 1000) / STEP_MS);
    const first = cents === 2 ? 2 : 1;
    if (cents === 2 && step >= 1 && status === 'New') store.expire(id);
    else if (step >= first && payments.length === 0) store.pay(id, amount.div(cents === 1 ? 2 : 1).toFixed());
    else if (cents === 3 && step >= 3 && payments.length === 1) store.pay(id, amount.toFixed());
    else if (step >= first + payments.length) store.confirm(id);
  }
  const payments = [...node.payments.values()];
  for (const { id, status, payAmount, updatedAt, parentId, paid } of payments) {
    if (now - updatedAt < STEP_MS) continue;
    const cents = Math.round(payAmount * 100) % 100;
    const isPaidAgain = payments.some((payment) => payment.parentId === id);
    if (status === 'waiting' && cents === 2) node.change(id, 'expired');
    else if (status === 'waiting' && cents === 4) {
      const outcome = { amount: payAmount, currency: 'usdttrc20' };
      if (!isPaidAgain) node.payAgain(id, payAmount * 3, { currency: 'trx', outcome });
    } else if (status === 'waiting') node.pay(id, cents === 1 ? payAmount / 2 : payAmount);
    else if (status === 'expired' && paid === 0) node.pay(id, payAmount);
    else if (status === 'confirming' && paid < payAmount) node.finishPart(id);
    else if (status === 'confirming') node.finish(id);
    else if (status === 'finished' && cents === 3 && parentId === null && !isPaidAgain) node.payAgain(id, payAmount);
  }
}
