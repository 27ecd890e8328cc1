import assert from 'node:assert/strict';
import { toMicros } from '#contract/money.ts';
import { signInMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import {
  admitWithdrawal,
  approveWithdrawal,
  cancelWithdrawal,
  createDeposit,
  followPayouts,
  holdWithdrawal,
  payInSandbox,
  payWithdrawals,
  rejectWithdrawal,
  saveAddress,
} from '#server/funds/index.ts';
import { type DemoOperator, demoOrigin, makeDemoOperator } from './make-operators.ts';
import { anikasAddress, anikasWithdrawals, demoOperators, demoPassword, firstPayout } from './people.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The same context with its real clock set to another time, to backdate what is done with it. */
const at = (context: Context, moment: number): Context => ({ ...context, now: () => new Date(moment) });

/** A time for sign-ups early enough that an address saved afterwards is already usable. */
export const beforeToday = (context: Context): Context => at(context, context.now().getTime() - 27 * HOUR_MS);

/**
 * Deposits of the last hours with a problem: one was never paid, the other was underpaid and completed late, so that an
 * operator has to decide.
 */
export async function depositOtherwise(context: Context, memberId: bigint): Promise<void> {
  const begun = context.now().getTime() - 3 * HOUR_MS;
  const begin = async (moment: number, amount: number) =>
    BigInt((await createDeposit(at(context, moment), memberId, { amount, risk_accepted: true }, undefined)).id);

  const unpaid = await begin(begun - HOUR_MS, 800);
  await payInSandbox(at(context, begun - MINUTE_MS), { depositId: unpaid }, 'expire');

  const short = await begin(begun, 500);
  await payInSandbox(at(context, begun + 9 * MINUTE_MS), { depositId: short }, 'less', { amountMicros: toMicros(320) });
  await payInSandbox(at(context, begun + 59 * MINUTE_MS), { depositId: short }, 'expire');
  await payInSandbox(at(context, begun + 84 * MINUTE_MS), { depositId: short }, 'again');
}

/** Saved the day before, so that it is usable. */
export function saveDemoAddress(context: Context, memberId: bigint): Promise<unknown> {
  const saved = at(context, context.now().getTime() - 26 * HOUR_MS);
  return inTransaction(context.db, (tx) => saveAddress(tx, saved, { memberId, ...anikasAddress }));
}

/**
 * Withdrawals of the last minutes, each with a different outcome; creates the operators who decide on them.
 *
 * @returns the operator who paid, and the one who rejected
 */
export async function withdrawInDemo(
  context: Context,
  memberId: bigint,
): Promise<{ readonly payer: DemoOperator; readonly reader: DemoOperator }> {
  const begun = context.now().getTime() - anikasWithdrawals.length * 2 * MINUTE_MS;
  const [payer, reader] = await Promise.all(
    demoOperators.map((operator) => makeDemoOperator(at(context, begun - MINUTE_MS), operator)),
  );
  assert(payer && reader, 'two operators');
  for (const [index, { dollars, end, reason }] of anikasWithdrawals.entries()) {
    const asked = begun + index * 2 * MINUTE_MS;
    const row = await request(at(context, asked), memberId, dollars);
    const about = { withdrawalId: row.id, version: row.version };
    if (end === 'completed') await pay(context, payer, about, asked + MINUTE_MS);
    if (end === 'cancelled') await cancelWithdrawal(at(context, asked + MINUTE_MS), memberId, row.id);
    if (end === 'rejected')
      await rejectWithdrawal(at(context, asked + MINUTE_MS), actorOf(reader), { ...about, reason });
  }
  return { payer, reader };
}

/** A pending first withdrawal, requested an hour after a sign-in from a new device: the back office flags both. */
export async function askForFirstPayout(context: Context, memberId: bigint): Promise<void> {
  const { code, dollars, network, address, userAgent } = firstPayout;
  const now = context.now().getTime();
  const saved = at(context, now - 26 * HOUR_MS);
  await inTransaction(context.db, (tx) => saveAddress(tx, saved, { memberId, network, address }));
  await signInMember(at(context, now - HOUR_MS), {
    loginId: code,
    password: demoPassword,
    userAgent,
    address: demoOrigin.address,
  });
  await request(at(context, now - MINUTE_MS), memberId, dollars);
}

/** What a request with a valid emailed code does. */
const request = (context: Context, memberId: bigint, dollars: number) =>
  inTransaction(context.db, async (tx) => {
    const row = await admitWithdrawal(tx, context, { memberId, amountMicros: toMicros(dollars), wallet: 'primary' });
    await holdWithdrawal(tx, context, row);
    return row;
  });

/** Approves a withdrawal, submits it to the sandbox, and follows it until the sandbox has paid. */
async function pay(
  context: Context,
  operator: DemoOperator,
  about: { readonly withdrawalId: bigint; readonly version: number },
  approved: number,
): Promise<void> {
  const otp = operator.codeAt(new Date(approved));
  await approveWithdrawal(at(context, approved), actorOf(operator), { ...about, otp });
  assert.equal(await payWithdrawals(at(context, approved)), 1);
  assert.equal(await followPayouts(at(context, approved + MINUTE_MS / 2)), 1);
}

const actorOf = ({ operatorId }: DemoOperator) => ({ operatorId, address: demoOrigin.address });
