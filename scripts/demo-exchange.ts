import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '#server/boot.ts';
import { readConfig } from '#server/config.ts';
import { inTransaction } from '#server/db/tx.ts';
import { ensureDemoAdmins } from '#server/demo/make-operators.ts';
import { saveAddress } from '#server/funds/index.ts';
import { run } from '#server/main.ts';
import { startDemoGateways } from '#test/fake-servers/demo-gateways.ts';
import { settingsAt, startExchange } from '#test/fake-servers/exchange.ts';
import type { ExchangeCandle } from '#test/fake-servers/exchange-market.ts';
import { giveFunds, signUp, TEST_PASSWORD } from '#test/worlds/members.ts';
import { openSessionNow } from '#test/worlds/session-now.ts';
import { buildWeb } from './build.ts';

/**
 * `npm run demo:exchange`: serves a new, temporary world that takes prices and orders from a local exchange, with a
 * session that is open now, a funded member and two admins. `npm run demo:gateways` adds deposits and payouts through
 * local gateways; the cents of a deposit say how it is paid.
 */
const DOLLARS_THERE = '200000';
const MEMBER_MICROS = 50_000_000_000n;
/** The member's payout address, and an age at which it is usable. */
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const ADDRESS_OLD_MS = 25 * 3_600_000;
const PRICES_EVERY_MS = 4000;
/** The price swings, each as a fraction and a period in minutes; every coin has its own phase. */
const SWINGS = [
  [0.03, 1_900],
  [0.008, 310],
  [0.003, 47],
  [0.001, 7],
] as const;
const SAMPLES = 12;

const node = await startExchange({ USDT: DOLLARS_THERE });
// Its order books hold 60 million dollars of Bitcoin, and 10 000 dollars of a ten-dollar coin.
Object.assign(node.account.book, { slippageBps: 3n, pieces: 2, coinsAPiece: '500' });
node.market.pairs.delete(node.nameOf('bsv'));
const firstPrices = new Map([...node.market.pairs.values()].map((pair) => [pair.base, Number(pair.lastPrice)]));
node.market.candle = makeCandle;
setInterval(() => {
  for (const pair of node.market.pairs.values()) pair.lastPrice = priceAt(pair.base, Date.now()).toFixed(2);
}, PRICES_EVERY_MS).unref();

const folder = mkdtempSync(join(tmpdir(), 'tradewind-exchange-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
Object.assign(process.env, settingsAt(node), { DATA_DIR: folder, DEMO: '0' });
process.env.LOG_LEVEL ||= 'warn';
await buildWeb();
const publicUrl = `http://127.0.0.1:${readConfig().port}`;
const changed = process.argv[2] === 'gateways' ? await startDemoGateways(publicUrl) : {};
const read = () => ({ ...readConfig(), ...changed });
console.log(await fillWorld());
await run(undefined, read);

function priceAt(base: string, ms: number): number {
  const start = base.charCodeAt(0) + base.charCodeAt(1);
  const swing = ([part, minutes]: readonly [number, number]) =>
    part * Math.sin(start + (2 * Math.PI * ms) / (minutes * 60_000));
  return (firstPrices.get(base) ?? 1) * SWINGS.reduce((price, one) => price + swing(one), 1);
}

/** From the same prices, so that the chart's history leads up to the current price. */
function makeCandle(base: string, openMs: number, stepMs: number): ExchangeCandle {
  const prices = Array.from({ length: SAMPLES + 1 }, (_, n) => priceAt(base, openMs + (n * stepMs) / SAMPLES));
  const [open = 1, close = 1] = [prices[0], prices[SAMPLES]];
  const volume = 2 + Math.abs(close / open - 1) * 500;
  const figures = [open, Math.max(...prices), Math.min(...prices), close].map((price) => price.toFixed(2));
  return [...figures, volume.toFixed(4), (volume * close).toFixed(2)] as unknown as ExchangeCandle;
}

/** @returns the sign-in details */
async function fillWorld(): Promise<string> {
  const { context, database } = await boot(read());
  const { memberId, referralCode } = await signUp(context);
  await giveFunds(context, memberId, MEMBER_MICROS);
  const earlier = { ...context, now: () => new Date(Date.now() - ADDRESS_OLD_MS) };
  await inTransaction(context.db, (tx) => saveAddress(tx, earlier, { memberId, network: 'TRC20', address: ADDRESS }));
  await openSessionNow(context.db);
  const admins = await ensureDemoAdmins(context);
  await database.close();
  const lines = admins.map(({ email, password }) => `  /operator: ${email}  password ${password}`);
  const cents =
    '  A deposit of .01 is paid short, of .02 late, of .03 twice, of .04 in another coin (USDT), others in full';
  const hints = process.argv[2] === 'gateways' ? [cents] : [];
  return [`  Member: ${referralCode}  password ${TEST_PASSWORD}`, ...lines, ...hints].join('\n');
}
