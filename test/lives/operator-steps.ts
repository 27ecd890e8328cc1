import fc from 'fast-check';
import type { Endpoint } from '#contract/endpoint.ts';
import {
  consoleAdjustments,
  consoleFeePlans,
  consoleLoosenings,
  feePlans,
  memberControls,
  operatorPayouts,
  tradingHalt,
} from '#contract/endpoints.ts';
import type { looseningKinds } from '#contract/operator/loosenings.ts';
import { randomPlan } from '#test/income/random-plan.ts';
import { alone, pick, type Step, step, wallet, which } from './member-steps.ts';
import type { Lives, Workers } from './world.ts';

type Seen = { readonly id: string; readonly version: number };
type Decision = 'approve' | 'reject' | 'leave';
const decision = fc.constantFrom<Decision>('approve', 'approve', 'approve', 'reject', 'leave');
const reason = 'Checked.';
const hash = () => `by-hand-${crypto.randomUUID()}`;

async function list({ by, finance, must }: Lives, row: Endpoint, state: string): Promise<Seen[]> {
  return must(await by(finance[0], row, { query: { state, limit: '100' } })).items;
}

const lists = {
  withdrawals: operatorPayouts.listOperatorWithdrawals,
  deposits: operatorPayouts.listOperatorDeposits,
  adjustments: consoleAdjustments.listAdjustments,
  loosenings: consoleLoosenings.listLoosenings,
};
export const listOf = (world: Lives, of: keyof typeof lists, state: string) => list(world, lists[of], state);

type Calls = { readonly approve: Endpoint; readonly reject: Endpoint };
/** What the second of two operators does about a proposal. */
async function decide({ by, finance }: Lives, calls: Calls, { id, version }: Seen, how: Decision, second = finance[1]) {
  if (how === 'approve') await by(second, calls.approve, { id, body: { version } }, true);
  if (how === 'reject') await by(second, calls.reject, { id, body: { version, reason } });
}

/** Two operators approve a withdrawal. */
export async function approve({ by, finance, must }: Lives, id: string): Promise<number> {
  for (const operator of finance) {
    const { version, state } = must(await by(operator, operatorPayouts.getOperatorWithdrawal, { id }));
    if (state === 'requested') await by(operator, operatorPayouts.approveWithdrawal, { id, body: { version } }, true);
  }
  return must(await by(finance[0], operatorPayouts.getOperatorWithdrawal, { id })).version;
}
export const listRequested = (world: Lives) => list(world, operatorPayouts.listOperatorWithdrawals, 'requested');

const reviewWithdrawal = step(
  'review withdrawal',
  fc.record({ index: which, how: fc.constantFrom('approve', 'approve', 'reject', 'pay', 'return', 'fail') }),
  async (world, { index, how }) => {
    const found = pick(await listRequested(world), index);
    if (found === undefined) return;
    const { id } = found;
    const { by, finance } = world;
    if (how === 'reject')
      return by(finance[0], operatorPayouts.rejectWithdrawal, { id, body: { version: found.version, reason } });
    let version = await approve(world, id);
    if (how === 'approve') return;
    const next = async (row: Endpoint, body: object, takesCode = false) => {
      const { isDone, data } = await by(finance[0], row, { id, body: { version, ...body } }, takesCode);
      if (isDone) version = data.version;
    };
    await next(operatorPayouts.takeWithdrawal, {}, true);
    if (how === 'return') return next(operatorPayouts.returnWithdrawal, {});
    await next(operatorPayouts.sendWithdrawal, { transaction: hash() });
    if (how === 'pay') await next(operatorPayouts.completeWithdrawal, {}, true);
    else await next(operatorPayouts.failWithdrawal, { reason }, true);
  },
);

/** Of payouts of which nobody knows whether they were ordered, those that the gateway does not have. */
export async function resolveUncertain(world: Lives) {
  const { by, finance, whileSearching } = world;
  for (const { id, version } of await list(world, operatorPayouts.listOperatorWithdrawals, 'uncertain')) {
    const body = { version, outcome: 'failed', reason };
    await whileSearching(by(finance[0], operatorPayouts.resolveWithdrawal, { id, body }, true));
  }
}
const resolving = step('resolve', fc.constant(null), resolveUncertain);

export const listReviewed = (world: Lives) => list(world, operatorPayouts.listOperatorDeposits, 'review');
/** Credited or refunded if anything arrived, else rejected. */
export async function reviewDeposit({ by, finance }: Lives, { id, version }: Seen, isCredited: boolean) {
  const { creditDeposit, refundDeposit, rejectDeposit } = operatorPayouts;
  const rejected = await by(finance[0], rejectDeposit, { id, body: { version, reason } });
  if (rejected.isDone) return;
  if (isCredited) await by(finance[0], creditDeposit, { id, body: { version, reason } }, true);
  else await by(finance[0], refundDeposit, { id, body: { version, reason, transaction: hash() } }, true);
}
const reviewing = step(
  'review deposit',
  fc.record({ index: which, isCredited: fc.boolean() }),
  async (world, value) => {
    const found = pick(await listReviewed(world), value.index);
    if (found !== undefined) await reviewDeposit(world, found, value.isCredited);
  },
);

const restrict = step(
  'restrict',
  fc.record({ who: which, how: fc.constantFrom('frozen', 'stopped', 'paused', 'limited') }),
  async ({ by, finance, lives }, { who, how }) => {
    const id = String(pick(lives, who)?.memberId);
    const why = 'A look at it.';
    if (how === 'frozen') return by(finance[0], memberControls.setMemberFrozen, { id, body: { frozen: true, why } });
    if (how === 'stopped')
      return by(finance[0], operatorPayouts.setWithdrawalsFrozen, { id, body: { frozen: true, why } });
    const tighter = how === 'paused' ? { pause_days: 1 } : { loss_day: 10 };
    return by(finance[0], memberControls.tightenMemberLimits, { id, body: { ...tighter, why } });
  },
);
const loosenings = { approve: consoleLoosenings.approveLoosening, reject: consoleLoosenings.rejectLoosening };
export async function loosen(world: Lives, memberId: bigint, what: (typeof looseningKinds)[number], how: Decision) {
  const body = { member_id: memberId.toString(), what, reason };
  await world.by(world.finance[0], consoleLoosenings.proposeLoosening, { body }, true);
  for (const one of await list(world, consoleLoosenings.listLoosenings, 'proposed'))
    await decide(world, loosenings, one, how);
}
const loosening = step(
  'loosen',
  fc.record({ who: which, what: fc.constantFrom('unfreeze' as const, 'lift_withdrawal_stop' as const), how: decision }),
  (world, { who, what, how }) => loosen(world, pick(world.lives, who)?.memberId ?? 0n, what, how),
);

const adjustments = { approve: consoleAdjustments.approveAdjustment, reject: consoleAdjustments.rejectAdjustment };
const adjust = step(
  'adjust',
  fc.record({ who: which, wallet, micros: fc.integer({ min: -50_000_000, max: 50_000_000 }), how: decision }),
  async (world, { who, wallet: of, micros, how }) => {
    const body = { member_id: String(pick(world.lives, who)?.memberId), wallet_type: of, amount: micros / 1e6 };
    const given = { body: { ...body, reason, evidence: 'The ticket.' } };
    const made = await world.by(world.finance[0], consoleAdjustments.proposeAdjustment, given);
    if (made.isDone) await decide(world, adjustments, made.data, how);
  },
);
const reverse = step('reverse', fc.record({ index: which, how: decision }), async (world, { index, how }) => {
  const found = pick(await list(world, consoleAdjustments.listAdjustments, 'posted'), index);
  if (found === undefined) return;
  const given = { id: found.id, body: { reason, evidence: 'The ticket.' } };
  const made = await world.by(world.finance[0], consoleAdjustments.reverseAdjustment, given);
  if (made.isDone) await decide(world, adjustments, made.data, how);
});
/** Answers the corrections that were left. */
export async function rejectLeft(world: Lives) {
  for (const one of await list(world, consoleAdjustments.listAdjustments, 'proposed'))
    await decide(world, adjustments, one, 'reject');
}

export async function switchPayouts({ by, finance }: Lives, isStopped: boolean) {
  const body = { stopped: isStopped, why: reason };
  await by(finance[0], operatorPayouts.setPayoutSwitch, { body }, !isStopped);
}
export async function lift({ by, finance, must }: Lives) {
  const { halt } = must(await by(finance[1], tradingHalt.getHalt));
  if (halt !== null)
    await by(finance[1], tradingHalt.liftHalt, { body: { version: halt.version, note: reason } }, true);
}
const isRarely = fc.constantFrom(true, false, false);
const switching = step('payout switch', isRarely, switchPayouts);
const halting = step('halt', isRarely, async (world, isHalted) => {
  if (isHalted) await world.by(world.finance[0], tradingHalt.haltTrading, { body: { reason } });
  else await lift(world);
});

const plans = { approve: consoleFeePlans.approveFeePlan, reject: consoleFeePlans.rejectFeePlan };
const fees = fc.record({
  trade_fee_bps: fc.constantFrom(0, 40, 250),
  performance_fee_bps: fc.constantFrom(0, 1000, 4000),
  withdrawal_fee_bps: fc.constantFrom(0, 100, 1000),
  withdrawal_fee_min: fc.constantFrom(0, 1, 9),
});
const feePlan = step(
  'fee plan',
  fc.record({ shares: randomPlan, fees, how: decision }),
  async (world, { how, ...drawn }) => {
    const { by, must, admins } = world;
    const { items } = must(await by(admins[0], feePlans.listFeePlans));
    const terms = { ...drawn.shares, ...drawn.fees };
    const body = { base_id: items[0].id, terms, reason };
    const made = await by(admins[0], consoleFeePlans.proposeFeePlan, { body });
    if (made.isDone) await decide(world, plans, made.data, how, admins[1]);
  },
);

const killedAt = fc.integer({ min: 0, max: 120 });
const workers = step(
  'workers',
  fc.oneof(fc.constantFrom<Workers>('one', 'two', 'two'), fc.record({ killedAt })),
  async (world, now) => world.setWorkers(now),
);
const wait = step('wait', fc.integer({ min: 1, max: 110 }), (world, minutes) => world.wait(minutes));

/** By how often each is drawn. */
export const operatorSteps: readonly (readonly [number, fc.Arbitrary<Step>])[] = [
  [14, alone(wait)],
  [4, alone(workers)],
  [4, reviewWithdrawal],
  [2, loosening],
  [2, adjust],
  [1, reverse],
  [1, reviewing],
  [1, alone(resolving)],
  [1, restrict],
  [1, switching],
  [1, halting],
  [3, feePlan],
];
