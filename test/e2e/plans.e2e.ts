import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { Plan, Redemption } from '#contract/trading/plan.ts';
import type { Session, Trade } from '#contract/trading/trading.ts';
import { formatMoney, formatSignedMoney } from '../../web/src/ui/format/number.ts';
import { formatDate } from '../../web/src/ui/format/time.ts';
import { makeReplayFolder } from '../replay-data.ts';
import { checkStep } from './page-checks.ts';
import { openStage } from './stage.ts';
import { ask, deposit, signIn, signUp } from './steps.ts';
import { openEmptyWorld } from './world-in-process.ts';

/**
 * An auto-trade plan in a real browser, by hand: create a compounding plan, watch it trade, read its result session by
 * session, redeem it, and find it in the compounding history and the money in the primary wallet, to the micro.
 */
const folder = mkdtempSync(join(tmpdir(), 'tradewind-plans-'));
/** The last day of the recording: after its session nobody has to be quicker than the next opening. */
const LAST_DAY = '2026-03-05';
const PUT_IN = 250;

const stage = openStage(() =>
  openEmptyWorld('plans', { MARKET_FEED: 'replay', REPLAY_DATA: makeReplayFolder(folder) }),
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a compounding plan is created, followed, redeemed and found again', { timeout: 300_000 }, async () => {
  const { page, faults, close } = await stage.openPage({ timezoneId: 'Asia/Dubai' });
  await signUp(page);
  await signIn(page);
  await deposit(page, 'desktop');
  const id = await createPlan(page);
  await watchItTrade(page);
  const plan = await waitForTheEnd(page, id);
  await checkTheMoney(page, plan);
  await readResults(page, plan);
  await redeem(page, plan);
  await findItAgain(page, plan);

  expect(faults).toEqual([]);
  await close();
});

async function createPlan(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Investment', exact: true }).click();
  await page.waitForURL('**/fund/investments');
  await page.getByRole('link', { name: 'New plan' }).first().click();
  await page.waitForURL('**/fund/investments/new');
  await page.getByText('$1,000.0000').first().waitFor();
  await page.getByRole('radio', { name: /btc/ }).check({ force: true });
  await page.getByRole('radio', { name: /Session hold/ }).check();
  await page.getByRole('radio', { name: /Reinvest gains/ }).check();
  await page.getByRole('button', { name: String(PUT_IN), exact: true }).click();
  await page.getByRole('button', { name: 'Create plan' }).click();
  await page.waitForURL(/\/fund\/investments\/\d+$/);
  await page.getByRole('heading', { name: 'Plan on btc/usdt' }).waitFor();
  await page.getByText('$750.0000').first().waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** In a session the plan has a trade, and the page says that it cannot be changed. */
async function watchItTrade(page: Page): Promise<void> {
  const find = async () => (await ask<{ items: Trade[] }>(page, 'trading/fetch-user-trade')).items[0];
  await stage.world.playUntil(async () => (await find())?.state === 'open');
  await page.getByRole('link', { name: 'open trade' }).waitFor();
  await page
    .getByText('A session is under way, or the plan’s trade is not settled yet. Plans can be changed again after that.')
    .waitFor();
  expect(await page.getByRole('button', { name: 'Redeem' }).isDisabled()).toBe(true);
}

async function waitForTheEnd(page: Page, id: string): Promise<Plan> {
  const isOver = async () => {
    const session = await ask<Session>(page, 'trading/session');
    return session.state === 'ended' || (session.state === 'closed' && session.opens_at.slice(0, 10) > LAST_DAY);
  };
  await stage.world.playUntil(isOver);
  return (await ask<{ plan: Plan }>(page, `trading/plans/${id}`)).plan;
}

/** Each trade takes all that is in the plan, and its result stays in: computed once more from docs/product.md. */
async function checkTheMoney(page: Page, plan: Plan): Promise<void> {
  const { items } = await ask<{ items: Trade[] }>(page, 'trading/fetch-user-trade?limit=100');
  const trades = items.filter((trade) => trade.plan_id === plan.id).reverse();
  expect(trades.length).toBeGreaterThan(0);
  let worth = PUT_IN;
  for (const trade of trades) {
    const fee = Math.floor(trade.amount * 4000) / 1e6;
    const proceeds = ((trade.amount - fee) * (trade.close_price as number)) / (trade.open_price as number);
    const performanceFee = Math.max(0, proceeds - trade.amount) * 0.1;
    expect(trade).toMatchObject({ symbol: 'btc', wallet_type: 'investment', state: 'settled', fee });
    expect(trade.amount).toBeCloseTo(worth, 6);
    expect(trade.result).toBeCloseTo(proceeds - trade.amount - performanceFee, 5);
    worth += trade.result as number;
  }
  expect(plan.value).toBeCloseTo(worth, 6);
  expect(plan.result_total).toBeCloseTo(worth - PUT_IN, 6);
  expect(plan.sessions.filter((session) => session.result !== null)).toHaveLength(trades.length);
}

async function readResults(page: Page, plan: Plan): Promise<void> {
  await page.reload();
  await page.getByText(formatSignedMoney(plan.result_total)).first().waitFor();
  await page.getByRole('img', { name: new RegExp(`^P&L of ${plan.sessions.length} sessions`) }).waitFor();
  const table = page.getByRole('table', { name: 'P&L by session' });
  for (const { day, result, value } of plan.sessions) {
    const row = table.getByRole('row').filter({ hasText: formatDate(day) });
    const text = (await row.textContent()) ?? '';
    expect(text).toContain(formatSignedMoney(result));
    expect(text).toContain(formatMoney(value));
  }
  await page.getByRole('table', { name: 'Decisions' }).getByText('Bought: the session opens.').first().waitFor();
}

async function redeem(page: Page, plan: Plan): Promise<void> {
  await page.getByRole('button', { name: 'Redeem' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redeem the plan on btc/usdt?' });
  expect(await dialog.textContent()).toContain(`${formatMoney(plan.value)} is paid to your Primary Wallet now.`);
  await checkStep(page, 'the question before redeeming');
  await dialog.getByRole('button', { name: 'Redeem', exact: true }).click();
  await page.getByText(`${formatMoney(plan.value)} was paid to your Primary Wallet.`).waitFor();
  await page.getByText('Paid to your Primary Wallet', { exact: true }).waitFor();
}

async function findItAgain(page: Page, plan: Plan): Promise<void> {
  const balance = await ask<{ primary_wallet: number; profit_wallet: number }>(page, 'auth/wallet-balance');
  expect(balance.primary_wallet).toBeCloseTo(1000 - PUT_IN + plan.value, 6);
  expect(balance.profit_wallet).toBe(0);
  await page.getByText(formatMoney(balance.primary_wallet)).first().waitFor();

  const { items } = await ask<{ items: Redemption[] }>(page, 'safe/compounding-hist');
  expect(items).toMatchObject([{ id: plan.id, amount: PUT_IN, redeemed: plan.value, result: plan.result_total }]);
  await page.goto('/fund/compounding-withdrawal-history');
  const row = page.getByRole('row').filter({ hasText: 'btc/usdt' });
  await row.waitFor();
  const text = (await row.textContent()) ?? '';
  expect(text).toContain(formatMoney(plan.value));
  expect(text).toContain(formatSignedMoney(plan.result_total));
}
