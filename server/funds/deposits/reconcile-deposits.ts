import { minutesToPay } from '#contract/rules.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inRowTransaction } from '#server/db/tx.ts';
import { Faults } from '#server/faults.ts';
import { notifyMember } from '#server/notify/index.ts';
import { leftNotice } from '../core/notices.ts';
import { atEach, chooseGateways, GATEWAY_GONE_AFTER_MS } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { issueInvoice } from './create-deposit.ts';
import { followDeposit } from './follow-deposit.ts';
import {
  type DepositRow,
  listLeftDeposits,
  listOpenDeposits,
  listOtherGateways,
  listWatchedDeposits,
  lockDeposit,
  updateCheckedAt,
  updateDeposit,
} from './sql.ts';

const CHUNK = 100;
/** Concurrent calls: a run must not last for an hour when every call to the gateway times out. */
const CONCURRENCY = 8;
/** Grace period of the creating request before its deposit counts as left without an invoice. */
const CREATION_GRACE_MS = 60_000;
const HOUR_MS = 3_600_000;

export type Reconciliation = { readonly checked: number; readonly changed: number };

/**
 * Polls each gateway for every open deposit, and for closed ones while a late payment may still arrive, so that a lost
 * webhook delays money but never loses it (docs/product.md, section 4). Deposits without an invoice get one, or are
 * closed. A failed check does not block the others; the run then ends with an error and is retried.
 *
 * Deposits at a gateway that is not configured are put in review a week after they expired. An operator closes them, or
 * corrects the member's balance if the payment arrived there.
 *
 * @throws Error when deposits are open at such a gateway: their payments would go unnoticed
 */
export async function reconcileDeposits(
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<Reconciliation> {
  let checked = 0;
  const faults = new Faults();
  const followed = await faults.keep(() =>
    atEach(gateways, async (gateway) => {
      const done = await reconcileAt(context, gateway);
      checked += done.checked;
      return done.changed;
    }),
  );
  const names = gateways.map(({ name }) => name);
  const handedOver = await faults.keep(() => handOverLeft(context, names));
  faults.throwAny();
  const left = await listOtherGateways(context.db, names);
  if (left.length > 0) throw new Error(`deposits are open at ${left.join(', ')}, which PAYMENTS does not name`);
  return { checked, changed: (followed ?? 0) + (handedOver ?? 0) };
}

/** The rest of more than one chunk is for the next run. */
async function handOverLeft(context: Context, names: readonly string[]): Promise<number> {
  const since = new Date(context.now().getTime() - GATEWAY_GONE_AFTER_MS);
  const deposits = await listLeftDeposits(context.db, { names, since, limit: CHUNK });
  for (const deposit of deposits)
    await (deposit.invoice_id === null
      ? closeUnasked(context, deposit, 'failed', 'no invoice')
      : closeUnasked(context, deposit, 'review', 'gateway not configured'));
  return deposits.length;
}

async function reconcileAt(context: Context, gateway: Gateway): Promise<Reconciliation> {
  const { db } = context;
  const now = context.now().getTime();
  const madeBefore = new Date(now - CREATION_GRACE_MS);
  // Late payments are polled for as long as the gateway detects them.
  const expiredAfter = new Date(now - gateway.watchedHours * HOUR_MS);
  const about = { gateway: gateway.name, limit: CHUNK };
  const done = { checked: 0, changed: 0, faults: new Faults() };
  // Closed ones first: a deposit that this run closes need not be checked twice.
  await checkAll(
    done,
    (after) => listWatchedDeposits(db, { ...about, after, expiredAfter, now: context.now() }),
    (deposit) => checkClosed(context, gateway, deposit),
  );
  await checkAll(
    done,
    (after) => listOpenDeposits(db, { ...about, after, madeBefore }),
    (deposit) => checkOpen(context, gateway, deposit),
  );
  done.faults.throwAny('Deposits that could not be reconciled');
  return done;
}

async function checkAll(
  done: { checked: number; changed: number; readonly faults: Faults },
  list: (after: bigint) => Promise<DepositRow[]>,
  check: (deposit: DepositRow) => Promise<boolean>,
): Promise<void> {
  let after = 0n;
  for (;;) {
    const deposits = await list(after);
    const waiting = [...deposits];
    const worker = async () => {
      for (let deposit = waiting.shift(); deposit !== undefined; deposit = waiting.shift()) {
        done.checked += 1;
        if (await done.faults.keep(() => check(deposit))) done.changed += 1;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    after = deposits.at(-1)?.id ?? after;
    if (deposits.length < CHUNK) return;
  }
}

async function checkOpen(context: Context, gateway: Gateway, deposit: DepositRow): Promise<boolean> {
  if (deposit.invoice_id === null) return completeOrFail(context, gateway, deposit);
  const hasChanged = await followDeposit(context, gateway, deposit.id);
  // The configuration now names another store or account, so payments to this one would go unnoticed.
  if (hasChanged === undefined)
    throw new Error(`${gateway.name} does not know the invoice of deposit ${deposit.reference}`);
  return hasChanged;
}

async function checkClosed(context: Context, gateway: Gateway, deposit: DepositRow): Promise<boolean> {
  const hasChanged = await followDeposit(context, gateway, deposit.id);
  await inRowTransaction(context.db, (tx) => updateCheckedAt(tx, deposit.id, context.now()));
  return hasChanged === true;
}

/** For a deposit without an invoice, after a crash or a gateway outage: retries until its time to pay is over. */
async function completeOrFail(context: Context, gateway: Gateway, deposit: DepositRow): Promise<boolean> {
  const isOver = context.now().getTime() >= deposit.created_at.getTime() + minutesToPay(deposit.pay_with) * 60_000;
  if (!isOver) return (await issueInvoice(context, gateway, deposit)).invoice_id !== null;
  return closeUnasked(context, deposit, 'failed', 'no invoice');
}

/** Without an answer of the gateway, so no money is booked. */
function closeUnasked(
  context: Context,
  deposit: DepositRow,
  state: 'failed' | 'review',
  reason: string,
): Promise<boolean> {
  return inRowTransaction(context.db, async (tx) => {
    const locked = await lockDeposit(tx, deposit.id, deposit.version);
    if (locked === undefined) return false;
    await updateDeposit(tx, {
      id: locked.id,
      state,
      creditMicros: 0n,
      holdMicros: 0n,
      paymentId: null,
      now: context.now(),
    });
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: `deposit.${state}`,
      subject: `deposit:${locked.id}`,
      before: { state: locked.state },
      after: { state, reason },
    });
    const notice = leftNotice(locked);
    if (state === 'review' && notice !== undefined) await notifyMember(tx, { memberId: locked.member_id, ...notice });
    return true;
  });
}
