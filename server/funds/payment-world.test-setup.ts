import fc from 'fast-check';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import { writeDelivery } from '#test/fake-servers/btcpay-webhooks.ts';
import { nowpaymentsPayerEnv, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { followCoins } from './coins/value-coins.ts';
import { receiveWebhook } from './deposits/follow-deposit.ts';
import type { DepositRow } from './deposits/sql.ts';
import { chooseGateways } from './gateways/choose-gateway.ts';
import { OutcomeUnknown } from './gateways/gateway.ts';
import { openOfficeWorld } from './review/review-world.test-setup.ts';
import { type WithdrawalRow, withdrawalColumns } from './withdrawals/withdrawal.ts';

/** Two members, two operators, and a gateway of each kind, which have one clock. */
export async function openPaymentWorld() {
  const [btcpay, nowpayments] = [await startBtcpay(), await startNowpayments()];
  const env = { ...btcpayEnv(btcpay), ...nowpaymentsPayerEnv(nowpayments), PAYMENTS: 'btcpay,nowpayments' };
  const office = await openOfficeWorld(env);
  const { context, clock } = office;
  const now = () => clock.now().getTime();
  Object.assign(btcpay, { now });
  nowpayments.clock.now = now;
  nowpayments.balance.set('usdttrc20', { amount: 0, pendingAmount: 0 });
  await followCoins(context);
  return {
    ...office,
    btcpay,
    nowpayments,
    gateways: chooseGateways(context),
    members: [await office.addWithdrawer(9000, 'BTC'), await office.addWithdrawer(9000, 'TRC20')],
    /** Withdrawals that operators have paid by hand and nobody has returned. */
    paidByHand: new Set<bigint>(),
    close: async () => {
      await office.database.close();
      await btcpay.close();
      await nowpayments.close();
    },
  };
}
export type World = Awaited<ReturnType<typeof openPaymentWorld>>;

const isAnswer = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(isAnswer)
    : error instanceof Refused || error instanceof OutcomeUnknown;

/** A refusal, or a gateway that does not answer, is an answer as well. */
export async function answered(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isAnswer(error)) throw error;
  }
}

export type Step = { readonly take: (world: World) => Promise<unknown> };

/** Printed as what was drawn. */
export const step = <T>(
  name: string,
  drawn: fc.Arbitrary<T>,
  take: (world: World, value: T) => unknown,
): fc.Arbitrary<Step> =>
  drawn.map((value) => ({
    take: (world) => answered(() => take(world, value)),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  }));

export const which = fc.nat();
export const who = fc.nat({ max: 1 });
export const pick = <T>(all: readonly T[], index: number): T => {
  const found = all[index % all.length];
  if (found === undefined) throw new Refused('not_found');
  return found;
};

export const listDeposits = async ({ db }: Context) =>
  (await sql<DepositRow>`select * from funds.deposit order by id`.execute(db)).rows;
export const listWithdrawals = async ({ db }: Context) =>
  (await sql<WithdrawalRow>`select ${withdrawalColumns} from funds.withdrawal order by id`.execute(db)).rows;

const payerActs = ['pay', 'part', 'confirm', 'replace', 'expire', 'endMonitoring', 'mark', 'again'] as const;
export const payer = step('payer', fc.record({ which, act: fc.constantFrom(...payerActs) }), async (world, value) => {
  const { btcpay, nowpayments } = world;
  const deposit = pick(await listDeposits(world.context), value.which);
  const dollars = Number(deposit.amount_micros) / 1e6;
  const id = deposit.invoice_id;
  const watchedHours = deposit.gateway === 'btcpay' ? 24 : 7 * 24;
  const isWatched = world.clock.now().getTime() < deposit.expires_at.getTime() + (watchedHours - 1) * 3_600_000;
  if (id === null || !isWatched) return undefined;
  if (deposit.gateway === 'btcpay')
    return {
      pay: () => btcpay.pay(id, dollars),
      part: () => btcpay.pay(id, dollars * 0.4),
      confirm: () => btcpay.confirm(id),
      replace: () => btcpay.replace(id),
      expire: () => btcpay.expire(id),
      endMonitoring: () => btcpay.endMonitoring(id),
      mark: () => btcpay.mark(id, 'Invalid'),
      again: () => btcpay.mark(id, 'Settled'),
    }[value.act]();
  const { status } = nowpayments.get(id);
  if (status === 'finished' && value.act !== 'again') return undefined;
  return {
    pay: () => status === 'waiting' && nowpayments.pay(id, dollars),
    part: () => status === 'waiting' && nowpayments.pay(id, dollars * 0.4),
    confirm: () => status === 'confirming' && nowpayments.get(id).paid >= dollars && nowpayments.finish(id),
    replace: () => status === 'confirming' && nowpayments.finishPart(id),
    expire: () => status === 'waiting' && nowpayments.change(id, 'expired'),
    endMonitoring: () => status === 'confirming' && nowpayments.change(id, 'failed'),
    mark: () => undefined,
    again: () => nowpayments.finish(nowpayments.payAgain(id, dollars)),
  }[value.act]();
});

export const deliver = step('deliver', fc.record({ which, isBitcoin: fc.boolean() }), async (world, value) => {
  const { btcpay, nowpayments, gateways, context } = world;
  const delivery = value.isBitcoin
    ? writeDelivery(btcpay, pick(btcpay.events, value.which))
    : pick(nowpayments.ipns, value.which);
  const gateway = pick(gateways, value.isBitcoin ? 0 : 1);
  await receiveWebhook(context, gateway, delivery.rawBody, delivery.headers);
});

export const processor = step(
  'processor',
  fc.record({ which, act: fc.constantFrom('send', 'complete', 'complete', 'cancel'), isBitcoin: fc.boolean() }),
  ({ btcpay, nowpayments }, { which: index, act, isBitcoin }) => {
    if (isBitcoin) {
      const { id, state } = pick(btcpay.payouts, index);
      if (act === 'send' && state === 'AwaitingPayment') btcpay.sendPayout(id);
      if (act === 'complete' && (state === 'AwaitingPayment' || state === 'InProgress')) btcpay.completePayout(id);
      if (act === 'cancel' && state !== 'Completed') btcpay.cancelPayout(id);
      return;
    }
    const { id } = pick(nowpayments.payouts.made, index);
    const payout = nowpayments.payouts.get(id);
    if (act === 'send' && payout.status === 'PROCESSING') nowpayments.payouts.send(id);
    if (act === 'complete' && (payout.status === 'PROCESSING' || payout.status === 'SENDING'))
      nowpayments.payouts.finish(id);
    if (act === 'cancel' && payout.status === 'PROCESSING') payout.status = 'FAILED';
  },
);

const answers = ['break', 'do_and_break', { status: 500, body: {} }, { status: 429, body: {} }] as const;
const calls = {
  btcpay: ['createInvoice', 'getInvoice', 'getRates', 'listPayouts', 'getPayout', 'getTransaction'],
  nowpayments: ['createPayment', 'getPayment', 'signIn', 'verifyPayout', 'listPayouts', 'getPayout'],
} as const;
export const trouble = step(
  'trouble',
  fc.constantFrom('btcpay', 'nowpayments').chain((at) =>
    fc.record({
      at: fc.constant(at),
      call: fc.oneof(fc.constant('createPayout'), fc.constantFrom(...calls[at])),
      with: fc.constantFrom(...answers),
    }),
  ),
  (world, { at, ...planned }) => world[at].interferences.push(planned as never),
);

export const rate = step('rate', fc.integer({ min: 40_000, max: 60_000 }), ({ btcpay }, price) => {
  btcpay.rate = String(price);
});
