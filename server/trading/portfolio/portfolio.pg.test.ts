import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { post, type Transfer, verifyLedger } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { openTradingWorld, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { closeTrade, listTrades } from '../index.ts';
import { listPlans } from '../plans/list-plans.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getWalletBalance, getWalletSummary } from './get-wallet.ts';

const SYMBOLS = ['btc', 'eth', 'ltc'];
const DAYS = ['2026-03-04', '2026-03-05', '2026-03-06'];

/** Numbers of its own from a seed, 0 to 1: the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Prices that wander, each asset its own way, up to 2 % a minute. */
const paths = new Map<string, RecordedCandle[]>(
  SYMBOLS.map((symbol, index) => {
    const random = randomOf(41 + index);
    let price = 100 * (index + 1);
    return [
      symbol,
      Array.from({ length: 4 * 1440 }, () => {
        const open = price;
        price = Math.max(1, price * (1 + (random() - 0.5) * 0.04));
        const text = (value: number) => value.toFixed(4);
        return [text(open), text(Math.max(open, price)), text(Math.min(open, price)), text(price)] as const;
      }),
    ];
  }),
);
const FROM = '2026-03-03T12:00:00Z';
const world = closeAfterAll(
  await openTradingWorld({
    from: FROM,
    minutes: 4 * 1440,
    candle: (symbol, at) => paths.get(symbol)?.[(at.getTime() - Date.parse(FROM)) / 60_000] ?? null,
    symbols: SYMBOLS,
    speed: 900,
    dollars: 0,
  }),
);
const memberIds = [world.memberId];
for (const name of ['Bob', 'Cid']) {
  world.clock.advance(1);
  memberIds.push((await world.member(name)).memberId);
}

const db = () => world.context.db;
const micros = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));
const sum = <T>(items: readonly T[], pick: (item: T) => number) =>
  items.reduce((total, item) => total + micros(pick(item)), 0n);

type Movement = Pick<Transfer, 'from' | 'to' | 'amountMicros' | 'reason'>;
let keys = 0;
async function move(...movements: Movement[]): Promise<void> {
  keys += 1;
  const marketAt = await getMarketTime(db());
  await inTransaction(db(), (tx) =>
    post(
      tx,
      movements.map((movement, index) => ({ ...movement, key: `${keys}/${index}`, reference: `T-${keys}`, marketAt })),
    ),
  );
}

/** What a member may do at a moment, chosen by the numbers. Amounts that are not there are not tried. */
async function act(memberId: bigint, random: () => number): Promise<void> {
  const own = (name: 'primary' | 'profit' | 'withdrawal_hold') => ({ memberId, class: name }) as const;
  const { primary_wallet: primary, profit_wallet: profit } = await getWalletBalance(db(), memberId);
  const choice = Math.floor(random() * 7);
  const amount = Number((20 + random() * 200).toFixed(6));
  const tradeId = SYMBOLS[Math.floor(random() * SYMBOLS.length)] as string;
  if (choice === 0) {
    await move({ from: { class: 'gateway' }, to: own('primary'), amountMicros: micros(amount), reason: 'deposit' });
  } else if (choice === 1 && primary > amount) {
    await move({
      from: own('primary'),
      to: own('withdrawal_hold'),
      amountMicros: micros(amount),
      reason: 'withdrawal_hold',
    });
    const fee = micros(amount) / 100n;
    if (random() < 0.5)
      await move(
        {
          from: own('withdrawal_hold'),
          to: { class: 'gateway' },
          amountMicros: micros(amount) - fee,
          reason: 'withdrawal_payout',
        },
        { from: own('withdrawal_hold'), to: { class: 'withdrawal_fees' }, amountMicros: fee, reason: 'withdrawal_fee' },
      );
  } else if (choice === 2) {
    const [trade] = (await listTrades(db(), { memberId, state: 'open', limit: 25 })).items;
    if (trade && trade.plan_id === null) await closeTrade(world.context, memberId, BigInt(trade.id));
  } else if (choice === 3) {
    await move({
      from: { class: 'adjustments' },
      to: own('profit'),
      amountMicros: micros(amount),
      reason: 'correction',
    });
  } else if (choice === 4 && primary > amount) {
    await world.createPlan({ tradeId, amount, compounding: random() < 0.5 }, memberId);
  } else {
    const wallet = profit > amount && random() < 0.4 ? 'profit' : 'primary';
    if ((wallet === 'profit' ? profit : primary) < amount) return;
    const stops = random() < 0.4 ? { stop_loss: 3, take_profit: 4, trailing_stop: 5 } : {};
    await world.place({ tradeId, amount, wallet_type: wallet, ...stops }, memberId);
  }
}

async function listAll(memberId: bigint) {
  const items = [];
  let cursor: string | undefined;
  do {
    const page = await listTrades(db(), { memberId, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Every figure of the portfolio against `wallet-summary`, against each other, and against the list of all trades. */
async function expectAgreement(memberId: bigint): Promise<number> {
  const portfolio = await getPortfolio(world.context, memberId);
  const summary = await getWalletSummary(db(), memberId);
  const { totals, result, allocation, by_asset: assets, realised_by_day: days } = portfolio;
  expect(portfolio.summary).toEqual(summary);
  expect(portfolio.net_worth).toBe(summary.net_worth);

  const putIn = micros(summary.deposited) - micros(summary.withdrawn);
  expect(micros(portfolio.equity.at(-1)?.put_in ?? Number.NaN)).toBe(putIn);
  expect(portfolio.equity.at(-1)?.value).toBe(summary.net_worth);
  expect(micros(result.total)).toBe(micros(summary.net_worth) - putIn);
  expect(micros(result.total)).toBe(
    sum([result.realised, result.open, result.income, result.corrections], (part) => part),
  );
  expect([result.realised, totals.realised]).toEqual([summary.realised, summary.realised]);
  expect(result.income).toBe(summary.income);
  expect(totals.fees_paid).toBe(summary.fees_paid);
  expect(micros(totals.fees_paid)).toBe(micros(totals.trade_fees) + micros(totals.performance_fees));

  expect(sum(allocation, ({ value }) => value)).toBe(micros(summary.net_worth));
  const part = (kind: string) =>
    sum(
      allocation.filter((one) => one.kind === kind),
      ({ value }) => value,
    );
  expect([part('plan'), part('hold')]).toEqual([micros(summary.invested), micros(summary.on_hold)]);

  const tables: readonly (readonly Omit<(typeof days)[number], 'day'>[])[] = [assets, days];
  for (const sums of tables) {
    expect(sum(sums, (one) => one.result)).toBe(micros(summary.realised));
    expect(sum(sums, (one) => one.volume)).toBe(micros(summary.traded_volume));
    expect(sum(sums, (one) => one.performance_fees)).toBe(micros(totals.performance_fees));
    for (const field of ['trades', 'winning', 'losing'] as const)
      expect(sums.reduce((count, one) => count + one[field], 0)).toBe(totals[field]);
  }

  const trades = await listAll(memberId);
  const settled = trades.filter(({ state }) => state === 'settled');
  const open = trades.filter(({ state }) => state === 'open' || state === 'settling');
  const queued = trades.filter(({ state }) => state === 'queued');
  expect(totals.trades).toBe(settled.length);
  expect(totals.open).toBe(open.length);
  expect(sum(settled, (trade) => trade.result ?? Number.NaN)).toBe(micros(summary.realised));
  expect(sum(settled, ({ amount }) => amount)).toBe(micros(summary.traded_volume));
  expect(sum([...open, ...queued], ({ amount }) => amount)).toBe(micros(summary.in_trades));
  expect(sum([...settled, ...open], (trade) => (trade.fee ?? Number.NaN) + (trade.performance_fee ?? 0))).toBe(
    micros(summary.fees_paid),
  );
  expect(portfolio.positions.map(({ distances: _, ...trade }) => trade)).toEqual(open);

  // What a member has, counted by hand: the wallets, what is in trades, plans and on hold, and what open trades would change.
  const wallets = await getWalletBalance(db(), memberId);
  const counted = [wallets.primary_wallet, wallets.profit_wallet, summary.in_trades, summary.invested, summary.on_hold];
  const live = sum(open, (trade) => trade.live?.result ?? Number.NaN);
  expect(sum(counted, (value) => value) + live).toBe(micros(summary.net_worth));

  const plans = await listPlans(db(), { memberId, limit: 100 });
  const known = plans.items.filter(({ state }) => state !== 'redeemed');
  expect(portfolio.plans.map(({ id, value, result: total, trade_id: tradeId }) => [id, value, total, tradeId])).toEqual(
    known.map((plan) => [plan.id, plan.value, plan.result_total, plan.trade_id]),
  );
  expect(micros(portfolio.in_plans)).toBe(sum(known, ({ value }) => value));
  return trades.length + plans.items.length;
}

test('portfolio and wallet-summary agree to the last digit at every moment of random histories, and with what is listed', async () => {
  const random = randomOf(7);
  for (const memberId of memberIds)
    await move({
      from: { class: 'gateway' },
      to: { memberId, class: 'primary' },
      amountMicros: 2_000_000_000n,
      reason: 'deposit',
    });
  let seen = 0;
  for (const day of DAYS) {
    for (const time of ['12:25', '12:40', '14:10', '16:05', '17:31', '20:00']) {
      for (const memberId of memberIds) {
        for (let turn = 0; turn < 4; turn += 1) await act(memberId, random);
        seen += await expectAgreement(memberId);
      }
      await world.play(`${day}T${time}:00Z`);
      for (const memberId of memberIds) seen += await expectAgreement(memberId);
    }
  }
  expect(seen).toBeGreaterThan(500);
  expect(await verifyLedger(db())).toEqual([]);
}, 240_000);

test('after three sessions the curve has a point for each and one for now, with what holding would have given', async () => {
  const { equity, drawdown, realised_by_day: days } = await getPortfolio(world.context, memberIds[0] as bigint);
  expect(equity.map(({ time }) => time.slice(0, 16))).toEqual([
    ...DAYS.map((day) => `${day}T17:30`),
    '2026-03-06T20:00',
  ]);
  expect(equity.every(({ held }) => held !== null && held > 0)).toBe(true);
  expect(days.map(({ day }) => day)).toEqual(DAYS);
  const results = [0, ...equity.map(({ value, put_in: putIn }) => value - putIn)];
  const deepest = Math.max(...results.flatMap((high, index) => results.slice(index).map((later) => high - later)));
  expect(drawdown.deepest_amount.amount).toBeCloseTo(deepest, 6);
  expect(drawdown.now.amount).toBeCloseTo(Math.max(...results) - (results.at(-1) as number), 6);
});

test('money that is on its way while a session is booked, and arrives after it, is in no point before', async () => {
  const late = await openWorldOfTest({
    minutes: 26 * 60,
    candle: (_, at) =>
      at.getUTCHours() === 17 && at.getUTCMinutes() < 41 && at.getUTCMinutes() > 20 ? null : still('9'),
  });
  await late.place({ amount: 100 });
  await late.play('17:35:00');
  const { memberId } = await late.member('Late', 200);
  const commit = await holdOpen(late.context.db, async (tx) =>
    post(tx, [
      {
        ...({ key: 'late', from: { class: 'gateway' }, to: { memberId, class: 'primary' } } as const),
        ...({ reason: 'deposit', reference: 'late', amountMicros: 500_000_000n } as const),
        marketAt: await getMarketTime(tx),
      },
    ]),
  );
  await late.play('17:50:00');
  await commit();
  const { equity } = await getPortfolio(late.context, memberId);
  expect(equity.map(({ value }) => value)).toEqual([200, 700]);
});
