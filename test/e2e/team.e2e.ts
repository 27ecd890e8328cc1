import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ExplainedBonus, IncomeLine } from '#contract/income.ts';
import type { TeamMember } from '#contract/team.ts';
import type { Trade } from '#contract/trading/trade.ts';
import { formatMoney } from '../../web/src/ui/format/number.ts';
import { formatDate } from '../../web/src/ui/format/time.ts';
import { startDemoServer } from './demo-world.ts';
import { openStage } from './stage.ts';
import { ask, deposit, signIn, signInAs, signUp } from './steps.ts';

/**
 * From an invitation to an income, in two browsers: the sponsor's link leads to a sign-up, the new member trades, and
 * after settlement the sponsor sees the bonus and follows it to the member who traded and the transfer that paid it.
 */
const AMOUNT = 250;

const stage = openStage(() => startDemoServer('team', { MARKET_SPEED: '900' }));

test('after an invitation, a sign-up and a trade, the sponsor’s income appears and can be traced to its source', async () => {
  const sponsor = await openPage();
  await signInAs(sponsor.page);
  const link = await findInvitation(sponsor.page);

  const invited = await openPage();
  await signUp(invited.page, link);
  await signIn(invited.page);
  await deposit(invited.page, 'desktop');
  const traded = await tradeAndSettle(invited.page);
  expect(invited.faults).toEqual([]);
  await invited.close();

  const { member, line } = await findIncome(sponsor.page, traded);
  await openToSource(sponsor.page, line, member);
  await findInTeam(sponsor.page, member);
  expect(sponsor.faults).toEqual([]);
  await sponsor.close();
});

const openPage = () => stage.openPage({ timezoneId: 'Asia/Dubai' });

async function findInvitation(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Referral Team' }).first().click();
  await page.waitForURL('**/team/referral-team');
  await page.getByRole('button', { name: 'Invite' }).first().click();
  await page.getByRole('img', { name: 'QR code of your invitation link' }).waitFor();
  const link = await page
    .getByText(/\/register\?referralCode=/)
    .first()
    .textContent();
  await page.keyboard.press('Escape');
  return link?.trim() ?? '';
}

async function tradeAndSettle(page: Page): Promise<Trade> {
  await page.goto('/dashboard?trade=btc');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('$1,000.0000').first().waitFor();
  await dialog.getByRole('button', { name: String(AMOUNT), exact: true }).click();
  await dialog.getByRole('button', { name: 'Trade Now' }).click();
  await dialog.waitFor({ state: 'detached' });
  const find = async () => (await ask<{ items: Trade[] }>(page, 'trading/fetch-user-trade')).items[0];
  await expect.poll(async () => (await find())?.state, { timeout: 180_000, interval: 500 }).toBe('settled');
  return (await find()) as Trade;
}

/** The new member's fees are in the sponsor's line of that session: 20 % of the trade fees of all direct referrals. */
async function findIncome(page: Page, traded: Trade): Promise<{ member: TeamMember; line: IncomeLine }> {
  const day = traded.closed_at?.slice(0, 10);
  const find = async () =>
    (await ask<{ items: IncomeLine[] }>(page, 'bounus/referral')).items.find(({ session }) => session === day);
  await expect.poll(async () => (await find()) !== undefined, { interval: 500 }).toBe(true);
  const line = (await find()) as IncomeLine;
  const { items } = await ask<{ items: TeamMember[] }>(page, 'auth/refer-list');
  const member = items.find(({ name }) => name === 'Noor Aziz') as TeamMember;
  expect(member).toMatchObject({ active: true, volume: AMOUNT, level: 1 });
  expect(line.amount).toBeCloseTo(line.fees * 0.2, 5);
  const { contributors, transfers } = await ask<ExplainedBonus>(page, `bounus/referral/${line.id}?limit=100`);
  expect(contributors.items.find(({ id }) => id === member.id)).toMatchObject({ volume: AMOUNT, fees: traded.fee });
  expect(contributors.items.reduce((sum, { fees }) => sum + fees, 0)).toBeCloseTo(line.fees, 6);
  expect(transfers.map(({ from, to, amount }) => [from, to, amount])).toEqual([['trade_fees', 'profit', line.amount]]);
  return { member, line };
}

async function openToSource(page: Page, line: IncomeLine, member: TeamMember): Promise<void> {
  await page.getByRole('link', { name: 'Referral Bonus' }).first().click();
  await page.waitForURL('**/income/referral-bonus');
  // The market runs on: by now a later session may have paid as well.
  const opening = page.getByRole('button', { name: `Calculation of ${formatDate(line.session)}, level 1` });
  await opening.click();
  expect(await opening.getAttribute('aria-expanded')).toBe('true');
  await page.getByRole('heading', { name: 'Calculation' }).first().waitFor();
  await page.getByText(member.name).first().waitFor();
  await page.getByText(formatMoney(line.amount)).first().waitFor();
}

async function findInTeam(page: Page, member: TeamMember): Promise<void> {
  await page.goto('/team/team-analysis');
  await page.getByRole('treeitem', { name: new RegExp(member.name) }).waitFor();
}
