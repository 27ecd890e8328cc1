import assert from 'node:assert';
import fc from 'fast-check';
import { account, funds, identity, plans, trading, withdrawals } from '#contract/endpoints.ts';
import { walletTypes, withdrawalRules } from '#contract/rules.ts';
import { strategyNames } from '#contract/trading/strategy.ts';
import { TEST_PASSWORD } from '#test/worlds/members.ts';
import { AccountClosed, type Life, type Lives } from './world.ts';

export type Step = {
  readonly take: (world: Lives) => Promise<unknown>;
  /** Not together with others. */
  readonly isAlone: boolean;
};

/** Printed as what was drawn. Refusals are answers as well. */
export const step = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  take: (world: Lives, value: T) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  drawn.map((value) => ({
    isAlone: false,
    take: (world) => take(world, value),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  }));

export const alone = (all: fc.Arbitrary<Step>): fc.Arbitrary<Step> => all.map((one) => ({ ...one, isAlone: true }));

export const which = fc.nat(9);
export const wallet = fc.constantFrom('primary' as const, 'primary' as const, 'profit' as const);
export const pick = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)];
const MOST_LIVES = 4;

/** A step of a member whose account is open; one taken together with its closing may come too late. */
const own = <T extends object>(
  name: string,
  drawn: fc.Arbitrary<T>,
  take: (world: Lives, life: Life, value: T) => Promise<unknown>,
) =>
  step(name, fc.tuple(drawn, which), async (world, [value, who]) => {
    const life = pick(
      world.lives.filter(({ isClosed }) => !isClosed),
      who,
    );
    if (life === undefined) return;
    try {
      await take(world, life, value);
    } catch (error) {
      if (!(error instanceof AccountClosed)) throw error;
    }
  });

export async function readWallets({ as, must }: Lives, life: Life): Promise<Record<'primary' | 'profit', number>> {
  const { primary_wallet: primary, profit_wallet: profit } = must(await as(life, trading.getWalletBalance));
  return { primary, profit };
}

/** A part of what the wallet has, in micros. */
async function partOf(world: Lives, life: Life, { from, percent }: { from: 'primary' | 'profit'; percent: number }) {
  return Math.floor((await readWallets(world, life))[from] * percent * 1e4) / 1e6;
}

export async function deposit(world: Lives, life: Life, dollars: number, form: Record<string, string>) {
  const made = await world.as(life, funds.createDeposit, { body: { amount: dollars, risk_accepted: true } });
  if (!made.isDone) return;
  world.payPages.push(made.data.pay_url);
  await world.pay(made.data.pay_url, form);
}
const dollarsIn = fc.integer({ min: 10, max: 4000 });
/** Signs up under somebody, and pays in. */
const join = step(
  'join',
  fc.record({ sponsor: which, dollars: dollarsIn }),
  async (world, { sponsor, dollars: paid }) => {
    if (world.lives.length === MOST_LIVES) return;
    const open = world.lives.filter(({ isClosed }) => !isClosed);
    const life = await world.join(pick(open, sponsor)?.referralCode);
    await deposit(world, life, paid, { choice: 'full' });
  },
);

const depositing = own(
  'deposit',
  fc.record({
    dollars: dollarsIn,
    choice: fc.oneof(
      { weight: 8, arbitrary: fc.constant('full') },
      fc.constantFrom('less', 'more', 'late', 'expire', 'fail'),
    ),
  }),
  (world, life, { dollars, choice }) => deposit(world, life, dollars, { choice }),
);

/** Pays at the page of an invoice that may be paid, over or of an account that is closed. */
const payAgain = step(
  'pay again',
  fc.record({ index: which, choice: fc.constantFrom('full', 'less', 'more', 'again', 'fail') }),
  async (world, { index, choice }) => {
    const page = pick(world.payPages, index);
    if (page !== undefined) await world.pay(page, { choice });
  },
);

const percent = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }));
const stop = fc.constantFrom(null, 0.3, 1, 2.5);
const stops = fc.record({ stop_loss: stop, take_profit: stop, trailing_stop: stop });
const tradeId = fc.constantFrom('btc', 'eth');

const trade = own(
  'trade',
  fc.record({ tradeId, from: wallet, percent, stops: fc.option(stops) }),
  async (world, life, { tradeId: symbol, stops: set, ...part }) => {
    const body = { tradeId: symbol, amount: await partOf(world, life, part), wallet_type: part.from, ...set };
    const { isDone, data } = await world.as(life, trading.placeTrade, { body });
    if (isDone) world.acknowledged.set(data.id, body.amount);
  },
);
export async function listTrades({ as, must }: Lives, life: Life): Promise<{ id: string; state: string }[]> {
  return must(await as(life, trading.listTrades, { query: { limit: '100' } })).items;
}
const changeTrade = own(
  'change trade',
  fc.record({ index: which, how: fc.constantFrom('cancelTrade', 'closeTrade', 'setTradeStops'), stops }),
  async (world, life, { index, how, stops: set }) => {
    const live = (await listTrades(world, life)).filter(({ state }) => state === 'queued' || state === 'open');
    const found = pick(live, index);
    if (found === undefined) return;
    const body = how === 'setTradeStops' ? { body: set } : {};
    await world.as(life, trading[how], { id: found.id, ...body });
  },
);

const plan = own(
  'plan',
  fc.record({
    tradeId,
    strategy: fc.constantFrom(...strategyNames),
    compounding: fc.boolean(),
    from: wallet,
    percent,
    stops: fc.option(stops),
  }),
  async (world, life, { from, percent: part, stops: set, ...rest }) => {
    const amount = await partOf(world, life, { from, percent: part });
    await world.as(life, plans.createPlan, { body: { ...rest, amount, wallet_type: from, ...set } });
  },
);
export async function listPlans({ as, must }: Lives, life: Life): Promise<{ id: string; state: string }[]> {
  const { items } = must(await as(life, plans.listPlans, { query: { limit: '100' } }));
  return items.filter(({ state }: { state: string }) => state !== 'redeemed');
}
const changePlan = own(
  'change plan',
  fc.record({
    index: which,
    how: fc.constantFrom('setPlanStops', 'pausePlan', 'resumePlan', 'redeemPlan'),
    stops,
  }),
  async (world, life, { index, how, stops: set }) => {
    const found = pick(await listPlans(world, life), index);
    if (found !== undefined)
      await world.as(life, plans[how], { id: found.id, ...(how === 'setPlanStops' && { body: set }) });
  },
);

/** Agrees to the fee that follows from the terms. One that took another, or was refused without a new one, is an error. */
export async function withdraw(world: Lives, life: Life, amount: number, from: 'primary' | 'profit') {
  const readFee = async () => {
    const terms = world.must(await world.as(life, withdrawals.getWithdrawalTerms));
    return Math.max(Math.floor((Math.round(amount * 1e6) * terms.fee_bps) / 10_000) / 1e6, terms.fee_minimum);
  };
  const fee = await readFee();
  const otp = await world.codeFor(life, { purpose: 'withdrawal', amount: String(amount), wallet_type: from });
  if (otp === undefined) return;
  const body = { amount, fee, wallet_type: from, otp };
  const { isDone, data, code } = await world.as(life, withdrawals.requestWithdrawal, { body });
  if (isDone) assert.deepEqual([data.fee, data.net], [fee, Math.round((amount - fee) * 1e6) / 1e6]);
  if (code === 'withdrawal_fee_changed') assert.notEqual(await readFee(), fee);
}
const withdrawing = own('withdraw', fc.record({ from: wallet, percent }), async (world, life, part) => {
  const amount = await partOf(world, life, part);
  if (amount > 0) await withdraw(world, life, Math.min(amount, withdrawalRules.dayLimitDollars), part.from);
});
const cancelWithdrawal = own('cancel withdrawal', fc.record({}), async (world, life) => {
  const query = { state: 'requested' };
  const [first] = world.must(await world.as(life, withdrawals.listWithdrawals, { query })).items;
  if (first !== undefined) await world.as(life, withdrawals.cancelWithdrawal, { id: first.id });
});

const dollars = fc.option(fc.integer({ min: 10, max: 5000 }));
const limits = own(
  'limits',
  fc.record({ deposit_week: dollars, loss_day: dollars, pause_days: fc.constantFrom(undefined, undefined, 1) }),
  (world, life, body) => world.as(life, identity.setLimits, { body }),
);

/** Ends all trades and plans that can be ended, and takes out what can be taken out. */
export async function empty(world: Lives, life: Life) {
  for (const { id } of await listPlans(world, life)) await world.as(life, plans.redeemPlan, { id });
  for (const { id, state } of await listTrades(world, life)) {
    if (state === 'queued') await world.as(life, trading.cancelTrade, { id });
    if (state === 'open') await world.as(life, trading.closeTrade, { id });
  }
  const wallets = await readWallets(world, life);
  for (const from of walletTypes)
    if (wallets[from] >= withdrawalRules.minimumDollars)
      await withdraw(world, life, Math.min(wallets[from], withdrawalRules.dayLimitDollars), from);
}
const emptying = own('empty', fc.record({}), empty);

/** Closes the account and forfeits what is left, if it is as little as that takes. */
export async function close(world: Lives, life: Life): Promise<string> {
  const { primary, profit } = await readWallets(world, life);
  const left = Math.round((primary + profit) * 1e6) / 1e6;
  const body = { password: TEST_PASSWORD, ...(left > 0 && { forfeit: left }) };
  life.wasToClose = true;
  const { isDone, code } = await world.as(life, account.closeAccount, { body });
  life.isClosed ||= isDone;
  return code;
}
const closing = own('close', fc.record({}), close);

/** By how often each is drawn. */
export const memberSteps: readonly (readonly [number, fc.Arbitrary<Step>])[] = [
  [26, trade],
  [6, depositing],
  [10, changeTrade],
  [9, plan],
  [4, changePlan],
  [4, withdrawing],
  [1, cancelWithdrawal],
  [1, limits],
  [2, alone(join)],
  [2, payAgain],
  [3, emptying],
  [3, closing],
];
