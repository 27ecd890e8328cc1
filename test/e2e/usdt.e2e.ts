import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { beforeAll, expect, test } from 'vitest';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { readConfig } from '#server/config.ts';
import { inTransaction } from '#server/db/tx.ts';
import { ensureDemoAdmins } from '#server/demo/make-operators.ts';
import { reconcileDeposits, saveAddress } from '#server/funds/index.ts';
import { startEmailServer } from '#server/notify/email/email-server.test-setup.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt } from '#test/worlds/operators.ts';
import { qrPath } from '../../web/src/ui/text/qr-code.tsx';
import { btcpayEnv, startBtcpay } from '../fake-servers/btcpay.ts';
import { settingsAt, startExchange } from '../fake-servers/exchange.ts';
import { type FakeNowpayments, nowpaymentsPayerEnv, startNowpayments } from '../fake-servers/nowpayments.ts';
import { findCode } from './emails.ts';
import { checkStep } from './page-checks.ts';
import { setUpOperator } from './set-up-operator.ts';
import { openStage, watch } from './stage.ts';
import { approveTwice, ask, enterCode, signInAs } from './steps.ts';
import { openEmptyWorld } from './world-in-process.ts';

/**
 * USDT in a real browser, with two gateways side by side: deposits from our own page as the member sees them, and a
 * withdrawal that two operators approve. Other payment outcomes: server/funds/gateways/nowpayments.
 */
const EMAIL = 'noor@example.com';
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

let node: FakeNowpayments;
let page: Page;
const faults: string[] = [];

const stage = openStage(async () => {
  const exchange = await startExchange({ USDT: '100000' });
  const store = await startBtcpay();
  node = await startNowpayments();
  const { payments, btcpay, nowpayments } = readConfig({
    ...btcpayEnv(store),
    ...nowpaymentsPayerEnv(node),
    PAYMENTS: 'btcpay,nowpayments',
  });
  const mails = await startEmailServer();
  const env = { ...settingsAt(exchange), SMTP_URL: mails.url };
  const world = await openEmptyWorld('usdt', env, { payments, btcpay, nowpayments });
  node.clock.now = () => world.context.now().getTime();
  const stop = async () => {
    await world.stop();
    await Promise.all([store.close(), exchange.close(), node.close(), mails.stop()]);
  };
  return { ...world, mails, stop };
});

beforeAll(async () => {
  const { context } = stage.world;
  const { memberId, referralCode } = await signUp(context, { name: 'Noor Aziz', email: EMAIL });
  const before = { ...context, now: () => new Date(context.now().getTime() - 25 * 3_600_000) };
  await inTransaction(context.db, (tx) => saveAddress(tx, before, { memberId, network: 'TRC20', address: ADDRESS }));
  ({ page } = await stage.openPage());
  watch(page, faults);
  await signInAs(page, referralCode, TEST_PASSWORD);
});

const pay = () => page.getByRole('region', { name: 'Pay' });
const state = () => pay().getByRole('status');
let isFirst = true;

/** Starts a deposit on the page, and returns the id of its payment. */
async function start(dollars: number, network: 'TRC20' | 'BEP20' = 'TRC20'): Promise<number> {
  await page.goto('/fund/deposits');
  await page.getByLabel('Amount in USDT').fill(String(dollars));
  await page.getByRole('radio', { name: `USDT on ${network}` }).check();
  if (isFirst) await page.getByRole('checkbox').check();
  isFirst = false;
  await page.getByRole('button', { name: 'Start deposit' }).click();
  await state().getByText('Waiting for your payment').waitFor();
  return Math.max(...node.payments.keys());
}

const tell = async () => expect(new Set(await node.tell())).toEqual(new Set([200]));

test('the way to pay is chosen before the deposit starts', async () => {
  await page.goto('/fund/deposits');
  await page.getByRole('radio', { name: 'Bitcoin' }).waitFor();
  expect(await page.getByRole('radio').count()).toBe(4);
  await page.getByLabel('Amount in USDT').fill('100');
  await page.getByRole('button', { name: 'Start deposit' }).click();
  await page.getByRole('alert').getByText('Choose what to pay with.').waitFor();
  await checkStep(page, 'deposit with a choice');
});

test('a full payment is shown as pending, confirmed and credited, each as it happens', async () => {
  const id = await start(100);
  const { address } = node.get(id);
  await pay().getByText('USDT on Tron (TRC20)').first().waitFor();
  const drawn = await pay()
    .getByRole('img', { name: /^QR code to pay with/ })
    .locator('path')
    .getAttribute('d');
  expect(drawn).toBe(qrPath(encode(address, { ecc: 'M', border: 4 }).data));
  expect(((await pay().textContent()) ?? '').replaceAll(/\s/g, '')).toContain(address);
  expect(await pay().getByRole('timer').textContent()).toMatch(/^(59|1:00):?/);
  await checkStep(page, 'payment page of USDT');

  node.pay(id, 100);
  await tell();
  await state().getByText('Payment detected').waitFor();
  expect(
    await pay()
      .getByRole('img', { name: /^QR code/ })
      .count(),
  ).toBe(0);
  node.finish(id);
  await tell();
  await state().getByText('Credited').waitFor();
});

test('an underpaid deposit shows what is left, and an operator decides after the deadline', async () => {
  const id = await start(200, 'BEP20');
  node.pay(id, 150);
  node.finishPart(id);
  await tell();
  await state().getByText('Underpaid').waitFor();
  await pay().getByText('50', { exact: true }).first().waitFor();
  await checkStep(page, 'underpaid in USDT');
  stage.world.advance(3601);
  await reconcileDeposits(stage.world.context);
  await state().getByText('Under review').waitFor();
});

test('a withdrawal shows its network fee before the code, two approve, and it is paid with a transaction', async () => {
  const { context, mails } = stage.world;
  const { user } = await ask<{ user: { id: string } }>(page, 'auth/me');
  await giveFunds(context, BigInt(user.id), 6_000_000_000n);
  await page.goto('/fund/withdrawal');
  await page.getByText('about $1.20').waitFor();
  await checkStep(page, 'a withdrawal in USDT');
  await page.getByLabel('Amount in USDT').fill('6000');
  await page.getByRole('button', { name: 'Send code' }).click();
  await enterCode(page, await findCode(mails, EMAIL, 'Subject: Your withdrawal code', '$6,000.00'));
  await page.getByRole('button', { name: 'Withdraw $6,000.00' }).click();
  await page.waitForURL(/withdrawal\?withdrawal=\d+$/);
  const id = new URL(page.url()).searchParams.get('withdrawal') as string;

  const [admin] = await ensureDemoAdmins(context);
  if (admin === undefined) throw new Error('the demo admins were just made');
  const office = await stage.openPage({ colorScheme: 'dark' });
  watch(office.page, faults);
  await setUpOperator(office.page, admin, (secret) => codeAt(secret, context.now()));
  await office.page.goto(`/operator/withdrawals/${id}`);
  await office.page.getByText('about $1.20').waitFor();
  await checkStep(office.page, 'a withdrawal in USDT to approve');
  await approveTwice(stage.world, id);

  const paid = () => node.payouts.made.find(({ status }) => status === 'PROCESSING');
  await expect.poll(paid).toMatchObject({ amount: 5_940, address: ADDRESS, currency: 'usdttrc20' });
  node.payouts.finish(paid()?.id as string);
  const { hash } = node.payouts.made[0] as { hash: string };
  await page.getByText(hash).waitFor();
  const { reference } = node.payouts.made[0] as { reference: string };
  await expect
    .poll(() => ask<Withdrawal>(page, `safe/withdrawal/${id}`))
    .toMatchObject({ reference, state: 'completed', net: 5_940, transaction: hash });
  expect(node.payouts.made).toHaveLength(1);

  await page.goto('/solvency');
  await page.getByRole('row').filter({ hasText: 'Gateway result' }).getByText('$1.2000').waitFor();
  expect(faults).toEqual([]);
});
