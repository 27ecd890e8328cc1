import assert from 'node:assert/strict';
import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import type { Deposit, funds } from '#contract/funds/deposits.ts';
import { toDollars, toMicros } from '#contract/money.ts';
import { depositLimitsDollars, minutesToPay, openInvoicesMost } from '#contract/rules.ts';
import { findOwnLimits, getMember, type LimitsInForce, lockOwnAccount, lockOwnLimits } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { getValue } from '#server/db/rows.ts';
import { findReply, inRowTransaction, inTransaction, type Once, runOnce } from '#server/db/tx.ts';
import { makeReference } from '#server/random-text.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { chooseGatewayFor, chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { showDeposit } from './show-deposit.ts';
import {
  countOpenInvoices,
  type DepositRow,
  findDeposit,
  findDepositByKey,
  hasAcceptedRisk,
  insertDeposit,
  insertRiskAcceptance,
  isOpenDeposit,
  lockDepositsOf,
  updateInvoice,
} from './sql.ts';

export type DepositInput = BodyOf<typeof funds.createDeposit>;

/**
 * Starts a deposit: inserts it, creates an invoice at the gateway and returns where to pay (docs/product.md, section
 * 4). The gateway is called between two transactions, never inside one. After an interruption the same key continues
 * the same deposit, and the reconciliation gives it an invoice or closes it.
 *
 * Refuses `deposit_out_of_limits`, `pay_with_unavailable`, `account_frozen`, `risk_not_accepted` (in live mode),
 * `own_pause`, `own_deposit_limit`, `too_many_open_deposits` (five awaiting payment), `gateway_unavailable`.
 */
export async function createDeposit(
  context: Context,
  memberId: bigint,
  input: DepositInput,
  once: Once | undefined,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<Deposit> {
  const stored = once && (await findReply(context.db, once));
  // A reply stored by an older version has none of these.
  if (stored) {
    return {
      pay_with: null,
      held: 0,
      refunded: 0,
      ...(stored.reply as Omit<Deposit, 'pay_with' | 'held' | 'refunded'>),
    };
  }

  const deposit = await findOrCreateDeposit(context, memberId, input, once, gateways);
  const issued =
    deposit.invoice_id === null ? await issueInvoice(context, gatewayOf(gateways, deposit), deposit) : deposit;
  return runOnce(context.db, once, async () => showDeposit(issued));
}

/** Refuses `gateway_unavailable` when the deposit's gateway is no longer configured. */
function gatewayOf(gateways: readonly Gateway[], deposit: DepositRow): Gateway {
  const gateway = gateways.find(({ name }) => name === deposit.gateway);
  return orRefuse(gateway, 'gateway_unavailable');
}

async function findOrCreateDeposit(
  context: Context,
  memberId: bigint,
  input: DepositInput,
  once: Once | undefined,
  gateways: readonly Gateway[],
): Promise<DepositRow> {
  const earlier = once && (await findDepositByKey(context.db, memberId, once.key));
  if (earlier) return resumeDeposit(earlier, once);

  await refuseInvalid(context, memberId, input);
  const { gateway, payWith } = chooseGatewayFor(gateways, input.pay_with);
  const created = await inTransaction(context.db, async (tx) => {
    // The member is locked first, as everywhere: rechecks frozen and closed, and keeps both unchanged until commit.
    if ((await lockOwnAccount(tx, memberId)).frozenAt !== null) throw new Refused('account_frozen');
    const limits = await lockOwnLimits(tx, memberId, context.now());
    await lockDepositsOf(tx, memberId);
    // Under the lock: a concurrent request with the same key may have made the deposit that now fills the limit.
    if (once && (await findDepositByKey(tx, memberId, once.key))) return undefined;
    await refuseOverLimits(tx, memberId, toMicros(input.amount), limits, context.now());
    if ((await countOpenInvoices(tx, memberId, context.now())) >= openInvoicesMost)
      throw new Refused('too_many_open_deposits');
    if (input.risk_accepted) await insertRiskAcceptance(tx, memberId, context.now());
    return insertDeposit(tx, {
      memberId,
      reference: makeReference('deposit'),
      amountMicros: toMicros(input.amount),
      gateway: gateway.name,
      payWith,
      expiresAt: new Date(context.now().getTime() + minutesToPay(payWith) * 60_000),
      onceKey: once?.key ?? null,
      bodyHash: once?.bodyHash ?? null,
      now: context.now(),
    });
  });
  // Nothing was inserted: another request with this key was first and is found now, or the reference is in use.
  return created ?? findOrCreateDeposit(context, memberId, input, once, gateways);
}

function resumeDeposit(earlier: DepositRow, once: Once): DepositRow {
  if (earlier.body_hash !== once.bodyHash) throw new Refused('idempotency_mismatch');
  return earlier;
}

async function refuseInvalid(context: Context, memberId: bigint, input: DepositInput): Promise<void> {
  const { min, max } = depositLimitsDollars;
  if (input.amount < min || input.amount > max) throw new Refused('deposit_out_of_limits');
  const member = await getMember(context.db, memberId);
  if (member.frozenAt !== null) throw new Refused('account_frozen');
  if (member.closedAt !== null) throw new Refused('session_required');
  const mustAccept = context.config.mode === 'live' && !input.risk_accepted;
  if (mustAccept && !(await hasAcceptedRisk(context.db, memberId))) throw new Refused('risk_not_accepted');
}

/**
 * Checks the member's self-imposed limits (docs/product.md, section 8). Deposits started in the last 7 days count with
 * their credited amount, or with the requested amount while they can still be paid. With a limit of 500 and 300 still
 * payable, another 200 are allowed.
 */
async function refuseOverLimits(
  tx: Tx,
  memberId: bigint,
  amountMicros: bigint,
  { pausedUntil, depositWeekMicros }: LimitsInForce,
  now: Date,
): Promise<void> {
  if (pausedUntil !== null) throw new Refused('own_pause');
  if (depositWeekMicros === null) return;
  const usedMicros = await sumDepositsSince(tx, memberId, ownWeekStart(now));
  if (usedMicros + amountMicros > depositWeekMicros) throw new Refused('own_deposit_limit');
}

type OwnWeek = DataOf<typeof funds.listDeposits>['own_week'];

const WEEK_MS = 7 * 24 * 3_600_000;

/** Start of the 7 days that count against the limit. */
const ownWeekStart = (now: Date): Date => new Date(now.getTime() - WEEK_MS);

/** The member's self-imposed weekly deposit limit and its use, as applied to a new deposit; null without one. */
export async function findOwnWeek({ db, now }: Context, memberId: bigint): Promise<OwnWeek> {
  const { depositWeekMicros } = await findOwnLimits(db, memberId, now());
  if (depositWeekMicros === null) return null;
  const usedMicros = await sumDepositsSince(db, memberId, ownWeekStart(now()));
  return { limit: toDollars(depositWeekMicros), used: toDollars(usedMicros) };
}

/**
 * Sum of a member's deposits started after `since`: payable ones with at least the requested amount, those in review
 * with all that arrived, and all others with the credited amount.
 */
const sumDepositsSince = (db: Db, memberId: bigint, since: Date): Promise<bigint> =>
  getValue(db)<bigint>`
    select coalesce(sum(case
      when ${isOpenDeposit} then greatest(amount_micros, booked_micros)
      when state = 'review' then booked_micros
      else coalesce(credited_micros, 0) end), 0)::bigint as sum
    from funds.deposit where member_id = ${memberId} and created_at > ${since}`;

/**
 * Creates an invoice at the gateway and attaches it to the deposit. If a concurrent request attached one first, that
 * one stays and ours is never shown.
 */
export async function issueInvoice(context: Context, gateway: Gateway, deposit: DepositRow): Promise<DepositRow> {
  const { invoice, payUrl } = await gateway.createInvoice({
    depositId: deposit.id,
    reference: deposit.reference,
    amountMicros: deposit.amount_micros,
    lifetimeMinutes: minutesToPay(deposit.pay_with),
    payWith: deposit.pay_with,
    returnPath: `/payment/{status}?deposit=${deposit.id}`,
  });
  const attached = await inRowTransaction(context.db, (tx) =>
    updateInvoice(tx, {
      id: deposit.id,
      invoiceId: invoice.id,
      payUrl,
      payWays: invoice.payWays,
      expiresAt: invoice.expiresAt,
      now: context.now(),
    }),
  );
  const row = attached ?? (await findDeposit(context.db, deposit.id));
  assert(row !== undefined, 'deposits are never deleted');
  return row;
}
