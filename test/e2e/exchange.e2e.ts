import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { Trade } from '#contract/trading/trade.ts';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { ensureDemoAdmins } from '#server/demo/make-operators.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { waitUntil } from '#test/kit/wait-until.ts';
import { findDuplicates, readHolding } from '#test/worlds/exchange-world.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { codeAt } from '#test/worlds/operators.ts';
import { openSessionNow } from '#test/worlds/session-now.ts';
import { grouped } from '../../web/src/ui/format/number.ts';
import { type FakeExchange, settingsAt, startExchange } from '../fake-servers/exchange.ts';
import type { Answer } from '../fake-servers/serve-json.ts';
import { checkStep } from './page-checks.ts';
import { setUpOperator } from './set-up-operator.ts';
import { openStage, watch } from './stage.ts';
import { ask, signInAs } from './steps.ts';
import { openEmptyWorld } from './world-in-process.ts';

/**
 * Trading at an exchange as users see it: a server with prices and orders of a local exchange, in a session open at
 * this hour. A member trades, the exchange goes into maintenance and returns, and operators see it all.
 */
const THIN = 'xrp';
const REFUSED = 'eth';

let node: FakeExchange;
let member: Page;
const faults: string[] = [];

const stage = openStage(async () => {
  node = await startExchange({ USDT: '100000' });
  // The order book of a ten-dollar coin is worth 10 000 dollars, Bitcoin's 60 million.
  Object.assign(node.account.book, { slippageBps: 3n, pieces: 2, coinsAPiece: '500' });
  node.market.candle = () => null;
  const world = await openEmptyWorld('exchange', settingsAt(node));
  node.market.now = () => world.context.now().getTime();
  await openSessionNow(world.context.db);
  const stop = async () => {
    await world.stop();
    await node.close();
  };
  return { ...world, stop };
});

beforeAll(async () => {
  const { context } = stage.world;
  const { memberId, referralCode } = await signUp(context, { name: 'Noor Aziz' });
  await giveFunds(context, memberId, 50_000_000_000n);
  ({ page: member } = await stage.openPage());
  watch(member, faults);
  await signInAs(member, referralCode, TEST_PASSWORD);
  // No trade is placed before the exchange has listed its markets and the depth of their order books.
  expect(await waitUntil(async () => (await limitOf(THIN)) === 5000, 60_000)).toBe(true);
});

test('a trade shows fill, exchange fee and our markup beside the member’s price, at opening and closing', async () => {
  const trade = await place('btc', '1000');
  await expect.poll(() => stateOf(trade.id)).toBe('open');
  await member.goto(`/trades/${trade.id}`);
  await member.getByText('Exchange’s fill, its fee and our markup').waitFor();
  const { opening } = await detailOf(trade.id);
  const [filled] = await showExecution(opening, '+');
  // 60 000 plus 3 and 4 basis points; the fee is a thousandth, the markup half of the spread.
  expect(Number(filled)).toBeCloseTo(60_021, 1);
  expect(Number(opening?.price)).toBeGreaterThan(60_021 * 1.0014);
  await checkStep(member, 'a trade that the exchange filled');

  await closeNow('btc');
  await expect.poll(() => stateOf(trade.id)).toBe('settled');
  await member.goto(`/trades/${trade.id}`);
  await member.getByText('Exchange’s fill, less its fee and our markup').waitFor();
  await showExecution((await detailOf(trade.id)).closing, '−');
  await checkStep(member, 'a trade that the exchange filled twice');
  expect(await findDuplicates(stage.world.context, node)).toEqual([]);
  expect(faults).toEqual([]);
});

test('during maintenance new trades and closes wait, say why, and execute once the exchange responds', async () => {
  const open = await place('btc', '2000');
  await expect.poll(() => stateOf(open.id)).toBe('open');
  const end = answerWith(node.answers.maintenance, Object.values(node.calls));
  const waiting = await place('sol', '500');
  await member.goto('/dashboard');
  const why = 'Trades wait: the exchange is not responding.';
  await member.getByRole('region', { name: 'Trading session' }).getByText(why).waitFor();
  await member.goto(`/trades/${waiting.id}`);
  await member.getByText(why).waitFor();
  await checkStep(member, 'a trade that waits for the exchange');
  await closeNow('btc');
  await member.goto(`/trades/${open.id}`);
  await member.getByText(why).waitFor();
  expect(await stateOf(waiting.id)).toMatch(/queued|opening/);
  expect(await stateOf(open.id)).toBe('open');
  end();
  await expect.poll(() => stateOf(waiting.id)).toBe('open');
  await expect.poll(() => stateOf(open.id)).toBe('settled');
  expect(await findDuplicates(stage.world.context, node)).toEqual([]);
  expect(faults).toEqual([]);
});

test('operators see free funds, the asset whose order was refused, and residuals', async () => {
  const [admin] = await ensureDemoAdmins(stage.world.context);
  if (admin === undefined) throw new Error('the demo admins were just made');
  const { page } = await stage.openPage({ colorScheme: 'dark' });
  watch(page, faults);
  await setUpOperator(page, admin, (secret) => codeAt(secret, stage.world.context.now()));
  await page.getByText('Halted assets: none').waitFor();

  const end = answerWith(node.answers.restricted, [node.calls.send]);
  const trade = await place(REFUSED, '700');
  await member.goto('/dashboard');
  await member.getByText('the exchange does not accept orders for ETH').first().waitFor();
  await page.reload();
  await page.getByText('ETH is halted at the exchange').waitFor();
  await page.getByText(/This symbol is not permitted for this account/).waitFor();
  await page.getByText(/Exchange funds: \$9\d,\d{3}\.\d\d free/).waitFor();
  await page.getByText(/Residuals: \$\d+\.\d\d in \d assets?/).waitFor();
  await checkStep(page, 'the overview of an exchange that refuses orders');
  expect((await readHolding(stage.world.context, REFUSED))?.rejections).toBeGreaterThan(0);

  // The next order that the exchange accepts ends the halt, without anybody's action.
  end();
  await expect.poll(() => stateOf(trade.id), { timeout: 120_000 }).toBe('open');
  await page.reload();
  await page.getByText('Halted assets: none').waitFor();
  expect(await verifyLedger(stage.world.context.db)).toEqual([]);
  expect(await findDuplicates(stage.world.context, node)).toEqual([]);
  expect(faults).toEqual([]);
});

/** What all members together can still trade in an asset, in dollars. */
async function limitOf(symbol: string): Promise<number | null | undefined> {
  type Limits = { items: { symbol: string; all: number | null }[] };
  return (await ask<Limits>(member, 'trading/limits')).items.find((line) => line.symbol === symbol)?.all;
}

const listTrades = async (): Promise<Trade[]> =>
  (await ask<{ items: Trade[] }>(member, 'trading/fetch-user-trade')).items;
const stateOf = async (id: string) => (await listTrades()).find((trade) => trade.id === id)?.state;
const detailOf = (id: string) => ask<TradeDetail>(member, `trading/${id}`);

async function fill(symbol: string, amount: string) {
  await member.goto(`/dashboard?trade=${symbol}`);
  const dialog = member.getByRole('dialog');
  await dialog.getByRole('radio', { name: new RegExp(`^${symbol}/usdt`) }).check({ force: true });
  await dialog.getByLabel('Amount').fill(amount);
  return dialog;
}

async function place(symbol: string, amount: string): Promise<Trade> {
  const known = (await listTrades()).length;
  const dialog = await fill(symbol, amount);
  await dialog.getByRole('button', { name: 'Trade Now' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(async () => (await listTrades()).length).toBe(known + 1);
  return (await listTrades())[0] as Trade;
}

async function closeNow(symbol: string): Promise<void> {
  await member.goto(`/${symbol}`);
  await member.getByRole('button', { name: 'Close now' }).click();
  await member.getByRole('dialog').getByRole('button', { name: 'Close now' }).click();
  await member.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The line of the calculation, with all digits. */
async function showExecution(fill: TradeDetail['opening'], sign: '+' | '−') {
  if (!fill?.execution) throw new Error('it was filled at an exchange');
  const parts = [fill.execution.fill, fill.execution.exchange_fee, fill.execution.markup];
  await member.getByText(parts.map(grouped).join(` ${sign} `)).waitFor();
  return parts;
}

/** These calls get this answer until it is ended; prices and order books continue. */
function answerWith(answer: Answer, calls: readonly string[]): () => void {
  for (let index = 0; index < 1000; index += 1)
    node.interferences.push({ call: calls[index % calls.length] as string, with: answer });
  return () => {
    node.interferences.length = 0;
  };
}
