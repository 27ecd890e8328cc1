import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { beforeAll, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { reconcileDeposits } from '#server/funds/index.ts';
import { qrPath } from '../../web/src/ui/text/qr-path.ts';
import { btcpayEnv, startBtcpay } from '../fake-servers/btcpay.ts';
import { settingsAt, startExchange } from '../fake-servers/exchange.ts';
import { type FakeNowpayments, nowpaymentsEnv, startNowpayments } from '../fake-servers/nowpayments.ts';
import { signUp, TEST_PASSWORD } from '../members.ts';
import { checkStep } from './page-checks.ts';
import { openStage, watch } from './stage.ts';
import { ask, signInAs } from './steps.ts';
import { openEmptyWorld } from './world-in-process.ts';

/**
 * Deposits in USDT in a real browser, paid from our own page with two gateways side by side: each outcome, as the member
 * follows it.
 */
let node: FakeNowpayments;
let page: Page;
const faults: string[] = [];

const stage = openStage(async () => {
  const [store, exchange] = await Promise.all([startBtcpay(), startExchange({ USDT: '100000' })]);
  node = await startNowpayments();
  const { payments, btcpay, nowpayments } = readConfig({
    ...btcpayEnv(store),
    ...nowpaymentsEnv(node),
    PAYMENTS: 'btcpay,nowpayments',
  });
  const world = await openEmptyWorld('deposit_usdt', settingsAt(exchange), { payments, btcpay, nowpayments });
  node.clock.now = () => world.context.now().getTime();
  const stop = async () => {
    await world.stop();
    await Promise.all([store.close(), exchange.close(), node.close()]);
  };
  return { ...world, stop };
});

beforeAll(async () => {
  const { referralCode } = await signUp(stage.world.context, { name: 'Noor Aziz' });
  ({ page } = await stage.openPage());
  watch(page, faults);
  await signInAs(page, referralCode, TEST_PASSWORD);
});

const pay = () => page.getByRole('region', { name: 'Pay' });
const state = () => pay().getByRole('status');
let isFirst = true;

/** Starts a deposit on the page, and gives the number of its payment. */
async function start(dollars: number, network: 'TRC20' | 'BEP20' | 'ERC20' = 'TRC20'): Promise<number> {
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

test('what to pay with is chosen before it is started', async () => {
  await page.goto('/fund/deposits');
  await page.getByRole('radio', { name: 'Bitcoin' }).waitFor();
  expect(await page.getByRole('radio').count()).toBe(4);
  await page.getByLabel('Amount in USDT').fill('100');
  await page.getByRole('button', { name: 'Start deposit' }).click();
  await page.getByRole('alert').getByText('Choose what to pay with.').waitFor();
  await checkStep(page, 'deposit with a choice');
});

test('paid in full: pending, confirmed, credited, each as it happens', async () => {
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

test('underpaid: what is left is shown, and a person decides when the time is over', async () => {
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

test('late: a person decides, and nothing is credited', async () => {
  const id = await start(300, 'ERC20');
  stage.world.advance(3601);
  await reconcileDeposits(stage.world.context);
  await state().getByText('Invoice expired').waitFor();
  node.pay(id, 300);
  node.finish(id);
  await tell();
  await page.reload();
  await state().getByText('Under review').waitFor();
});

test('another coin: a person decides', async () => {
  const id = await start(400);
  node.finish(node.payAgain(id, 900, { currency: 'trx', outcome: { amount: 390, currency: 'usdttrc20' } }));
  await tell();
  await state().getByText('Under review').waitFor();
});

test('paid twice: the first is credited, the second a person decides', async () => {
  const id = await start(500);
  node.pay(id, 500);
  node.finish(id);
  await tell();
  await state().getByText('Credited').waitFor();
  node.finish(node.payAgain(id, 500));
  await tell();
  await page.reload();
  await state().getByText('Under review').waitFor();
});

test('the wallet has what was credited, and what is held waits', async () => {
  const wallet = await ask<{ primary: { balance: number }; arriving: { count: number; amount: number } }>(
    page,
    'auth/wallet',
  );
  expect([wallet.primary.balance, wallet.arriving]).toEqual([100 + 500, { count: 4, amount: 150 + 300 + 390 + 500 }]);
  expect(faults).toEqual([]);
});
