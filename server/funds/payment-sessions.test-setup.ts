import fc from 'fast-check';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { writeDelivery } from '#test/fake-servers/btcpay-webhooks.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { followCoins } from './coins/value-coins.ts';
import { createDeposit } from './deposits/create-deposit.ts';
import { receiveWebhook } from './deposits/follow-deposit.ts';
import { reconcileDeposits } from './deposits/reconcile-deposits.ts';
import type { DepositRow } from './deposits/sql.ts';
import { importEntriesWhenDue } from './gateway-statement/import-entries.ts';
import {
  answered,
  deliver,
  listDeposits,
  listWithdrawals,
  payer,
  pick,
  processor,
  rate,
  type Step,
  step,
  trouble,
  type World,
  which,
  who,
} from './payment-world.test-setup.ts';
import { followPayouts } from './payouts/follow-payouts.ts';
import { payWithdrawals } from './payouts/pay-withdrawals.ts';
import { answerSearches } from './payouts/search-payout.ts';
import { approveWithdrawal } from './review/approve-withdrawal.ts';
import { decideDeposit } from './review/decide-deposit.ts';
import {
  completeWithdrawal,
  failWithdrawal,
  rejectWithdrawal,
  resolveWithdrawal,
  returnWithdrawal,
  sendWithdrawal,
  takeWithdrawal,
} from './review/decide-withdrawal.ts';
import { cancelWithdrawal } from './withdrawals/cancel-withdrawal.ts';
import { setWithdrawalsFrozen } from './withdrawals/freeze-withdrawals.ts';
import type { WithdrawalRow } from './withdrawals/withdrawal.ts';

const deposit = step(
  'deposit',
  fc.record({ who, payWith: fc.constantFrom('BTC', 'TRC20'), amount: fc.constantFrom(20, 99.99, 750, 4999.99) }),
  ({ context, members, gateways }, { who: index, payWith, amount }) =>
    createDeposit(context, pick(members, index), { amount, pay_with: payWith } as never, undefined, gateways),
);
const withdraw = step(
  'withdraw',
  fc.record({ who, dollars: fc.constantFrom(10, 123.456789, 800, 3000, 5000) }),
  ({ members, addRequested }, { who: index, dollars }) => addRequested(dollars, { memberId: pick(members, index) }),
);
const cancel = step('cancel', which, async ({ context }, index) => {
  const { id, member_id } = pick(await listWithdrawals(context), index);
  await cancelWithdrawal(context, member_id, id);
});

/** The payouts of a withdrawal at the gateways. One with a transaction has left. */
export function findPayouts({ btcpay, nowpayments }: World, { reference }: WithdrawalRow) {
  const all = [
    ...btcpay.payouts
      .filter(({ metadata }) => JSON.stringify(metadata).includes(reference))
      .map(({ state, transaction }) => ({ isOver: state === 'Completed' || state === 'Cancelled', transaction })),
    ...nowpayments.payouts.made
      .filter((payout) => payout.reference === reference)
      .map(({ id }) => nowpayments.payouts.get(id))
      .map(({ status, hash }) => ({
        isOver: status === 'FINISHED' || status === 'FAILED' || status === 'REJECTED',
        transaction: hash,
      })),
  ];
  return { all, sent: all.find(({ transaction }) => transaction !== null), isOver: all.every(({ isOver }) => isOver) };
}

const decisions = {
  approve: approveWithdrawal,
  reject: (context, actor, seen) => rejectWithdrawal(context, actor, { ...seen, reason: 'No.' }),
  take: takeWithdrawal,
  giveBack: returnWithdrawal,
  send: async (context, actor, seen, { paidByHand }) => {
    await sendWithdrawal(context, actor, { ...seen, transaction: `hand-${seen.withdrawalId}` });
    paidByHand.add(seen.withdrawalId);
  },
  complete: async (context, actor, seen, world, row) => {
    const { sent, isOver } = findPayouts(world, row);
    if (world.paidByHand.has(row.id) || (sent && isOver)) await completeWithdrawal(context, actor, seen);
  },
  fail: async (context, actor, seen, world, row) => {
    const { sent, isOver } = findPayouts(world, row);
    if (sent !== undefined || !isOver) return;
    await failWithdrawal(context, actor, { ...seen, reason: 'It came back.' });
    world.paidByHand.delete(row.id);
  },
  resolve: async (context, actor, seen, world, row) => {
    const { sent, isOver } = findPayouts(world, row);
    if (sent === undefined && !isOver) return;
    const transaction = sent?.transaction ?? '';
    const answering = setInterval(() => void answerSearches(context).catch(() => 0), 20);
    try {
      await resolveWithdrawal(
        context,
        actor,
        sent === undefined
          ? { ...seen, outcome: 'failed', reason: 'Never sent.' }
          : { ...seen, outcome: isOver ? 'completed' : 'sent', transaction },
        500,
      );
    } finally {
      clearInterval(answering);
    }
  },
} satisfies Record<
  string,
  (
    context: Context,
    actor: ReturnType<typeof actorOf>,
    seen: { withdrawalId: bigint; version: number; otp: string },
    world: World,
    row: WithdrawalRow,
  ) => Promise<unknown>
>;
type Decision = keyof typeof decisions;

const statesOf: Partial<Record<Decision, WithdrawalRow['state'][]>> = {
  approve: ['requested'],
  take: ['approved'],
  send: ['approved'],
  complete: ['sent'],
  fail: ['sent'],
  resolve: ['uncertain'],
};

async function decide(world: World, row: WithdrawalRow, decision: Decision, isSecond: boolean) {
  const operator = isSecond ? world.second : world.finance;
  await decisions[decision](world.context, actorOf(operator), await world.seen(row.id, operator), world, row);
}
const decideStep = (...names: Decision[]) =>
  step(
    'decide',
    fc.record({ which, isSecond: fc.boolean(), decision: fc.constantFrom(...names) }),
    async (world, { which: index, decision, isSecond }) =>
      decide(
        world,
        pick(
          (await listWithdrawals(world.context)).filter(({ state }) => statesOf[decision]?.includes(state) ?? true),
          index,
        ),
        decision,
        isSecond,
      ),
  );

async function review(world: World, { id, version }: DepositRow, decision: 'credit' | 'refund' | 'reject') {
  const otp = await world.finance.code();
  const about = {
    decision,
    version,
    reason: 'Seen.',
    otp,
    ...(decision === 'refund' ? { transaction: `r-${id}` } : {}),
  };
  await decideDeposit(world.context, actorOf(world.finance), id, about, world.gateways);
}
const reviewStep = step(
  'review',
  fc.record({ which, decision: fc.constantFrom('credit' as const, 'refund' as const, 'reject' as const) }),
  async (world, { which: index, decision }) =>
    review(
      world,
      pick(
        (await listDeposits(world.context)).filter(({ state }) => state === 'review'),
        index,
      ),
      decision,
    ),
);

const stopped = (isStopped: boolean) =>
  isStopped
    ? sql`update funds.payout_switch set stopped_at = now(), stopped_by = 1, why = 'test'`
    : sql`update funds.payout_switch set stopped_at = null, stopped_by = null, why = null`;
const stop = step('stop', fc.boolean(), ({ context }, isStopped) => stopped(isStopped).execute(context.db));
const freeze = step('freeze', fc.record({ who, isFrozen: fc.boolean() }), (world, { who: index, isFrozen }) => {
  const memberId = pick(world.members, index);
  return isFrozen
    ? setWithdrawalsFrozen(world.context, actorOf(world.finance), { memberId, why: 'test' })
    : world.release(memberId);
});

// ---- the worker, and time ----

const jobs = { payWithdrawals, followPayouts, reconcileDeposits, followCoins, importEntriesWhenDue } as const;
/** By one worker, or by two at once. */
const job = step(
  'job',
  fc.record({ name: fc.constantFrom(...(Object.keys(jobs) as (keyof typeof jobs)[])), workers: fc.constantFrom(1, 2) }),
  async ({ context }, { name, workers }) => {
    const runs = await Promise.allSettled(Array.from({ length: workers }, () => jobs[name](context)));
    for (const run of runs) if (run.status === 'rejected') throw run.reason;
  },
);
const wait = step('wait', fc.constantFrom(5, 61, 61, 660, 3700, 90_000), ({ clock }, seconds) =>
  clock.advance(seconds),
);
const rounds = step('rounds', fc.constantFrom(61, 3700), async (world, seconds) => work(world, seconds));

async function work(world: World, seconds: number) {
  world.clock.advance(seconds);
  for (const run of Object.values(jobs)) await answered(() => run(world.context));
}

const single = fc.oneof(
  { weight: 8, arbitrary: payer },
  { weight: 4, arbitrary: deliver },
  { weight: 4, arbitrary: deposit },
  { weight: 5, arbitrary: withdraw },
  { weight: 1, arbitrary: cancel },
  { weight: 9, arbitrary: decideStep('approve') },
  { weight: 8, arbitrary: decideStep('take', 'send', 'complete', 'fail', 'resolve') },
  { weight: 1, arbitrary: decideStep('giveBack', 'reject') },
  { weight: 3, arbitrary: reviewStep },
  { weight: 1, arbitrary: stop },
  { weight: 1, arbitrary: freeze },
  { weight: 4, arbitrary: processor },
  { weight: 4, arbitrary: trouble },
  { weight: 1, arbitrary: rate },
  { weight: 9, arbitrary: job },
  { weight: 3, arbitrary: wait },
  { weight: 4, arbitrary: rounds },
);
const together = fc.array(single, { minLength: 2, maxLength: 4 }).map(
  (all): Step => ({
    take: (world) => Promise.all(all.map(({ take }) => take(world))),
    ...{ [fc.toStringMethod]: () => `together(${all.map((one) => fc.stringify(one)).join('; ')})` },
  }),
);
export const walk = fc.array(fc.oneof({ weight: 4, arbitrary: single }, { weight: 1, arbitrary: together }), {
  minLength: 40,
  maxLength: 110,
});

export const isFinal = (state: string) => ['completed', 'rejected', 'cancelled', 'failed'].includes(state);

/** Everything that is under way ends, as it would in some days without further trouble. */
export async function settle(world: World) {
  const { context, btcpay, nowpayments } = world;
  const [bitcoin, dollars] = [pick(world.gateways, 0), pick(world.gateways, 1)];
  btcpay.interferences.length = 0;
  nowpayments.interferences.length = 0;
  await stopped(false).execute(context.db);
  for (let day = 0; day < 12; day += 1) {
    for (const { id } of btcpay.invoices.values()) {
      btcpay.confirm(id);
      btcpay.expire(id);
    }
    for (const payment of nowpayments.payments.values())
      if (payment.status === 'waiting') nowpayments.change(payment.id, 'expired');
      else if (payment.status === 'confirming' && payment.paid >= payment.priceAmount) nowpayments.finish(payment.id);
      else if (payment.status === 'confirming') nowpayments.finishPart(payment.id);
    for (const event of btcpay.events.slice(-20)) {
      const { rawBody, headers } = writeDelivery(btcpay, event);
      await receiveWebhook(context, bitcoin, rawBody, headers);
    }
    for (const { rawBody, headers } of nowpayments.ipns.slice(-20))
      await receiveWebhook(context, dollars, rawBody, headers);
    await work(world, 61);
    await work(world, day < 4 ? 3700 : 26 * 3600);
    for (const { id, state } of btcpay.payouts)
      if (state === 'AwaitingPayment' || state === 'InProgress') btcpay.completePayout(id);
    for (const { id } of nowpayments.payouts.made)
      if (['PROCESSING', 'SENDING'].includes(nowpayments.payouts.get(id).status)) nowpayments.payouts.finish(id);
    const open = (await listWithdrawals(context)).filter(({ state }) => !isFinal(state));
    for (const row of open)
      for (const decision of ['giveBack', 'complete', 'resolve', 'fail', 'reject'] as const)
        for (const isSecond of [true, false]) await answered(() => decide(world, row, decision, isSecond));
    for (const row of (await listDeposits(context)).filter(({ state }) => state === 'review'))
      for (const decision of ['reject', 'credit', 'refund'] as const)
        await answered(() => review(world, row, decision));
  }
}
