import { minutesToPay } from '#contract/rules.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { atEach, chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { issueInvoice } from './create-deposit.ts';
import { followDeposit } from './follow-deposit.ts';
import {
  type DepositRow,
  listOpenDeposits,
  listOtherGateways,
  listWatchedDeposits,
  lockDeposit,
  updateCheckedAt,
  updateDeposit,
} from './sql.ts';

const CHUNK = 100;
/** So many are asked about at a time: a gateway that lets every call time out must not make a run last for an hour. */
const AT_ONCE = 8;
/** A request that makes a deposit is given this long before its deposit counts as left without an invoice. */
const MAKING_MS = 60_000;
const HOUR_MS = 3_600_000;

export type Reconciliation = { readonly asked: number; readonly changed: number };

/**
 * Asks each gateway about every open deposit of it, and about closed ones while a late payment may still come, so that a lost
 * webhook delays money but never loses it (docs/product.md, section 4). Deposits without an invoice get one, or are
 * closed. One that cannot be asked about does not keep the others waiting; the run then ends with an error and comes
 * again.
 *
 * @throws Error when deposits are open at a gateway that is not among these: nobody looks for their payments
 */
export async function reconcileDeposits(
  context: Context,
  gateways: readonly Gateway[] = chooseGateways(context),
): Promise<Reconciliation> {
  let asked = 0;
  const changed = await atEach(gateways, async (gateway) => {
    const done = await reconcileAt(context, gateway);
    asked += done.asked;
    return done.changed;
  });
  const left = await listOtherGateways(
    context.db,
    gateways.map(({ name }) => name),
  );
  if (left.length > 0) throw new Error(`deposits are open at ${left.join(', ')}, which PAYMENTS does not name`);
  return { asked, changed };
}

async function reconcileAt(context: Context, gateway: Gateway): Promise<Reconciliation> {
  const { db } = context;
  const now = context.now().getTime();
  const madeBefore = new Date(now - MAKING_MS);
  // A late payment is looked for as long as the gateway notices one.
  const expiredAfter = new Date(now - gateway.watchedHours * HOUR_MS);
  const about = { gateway: gateway.name, limit: CHUNK };
  // The closed ones first: one that this run closes was just asked about.
  const watched = await visitAll(
    (after) => listWatchedDeposits(db, { ...about, after, expiredAfter, now: context.now() }),
    (deposit) => lookAgain(context, gateway, deposit),
  );
  const open = await visitAll(
    (after) => listOpenDeposits(db, { ...about, after, madeBefore }),
    (deposit) => look(context, gateway, deposit),
  );
  const faults = [...open.faults, ...watched.faults];
  if (faults.length > 0) throw new AggregateError(faults, `Deposits that could not be reconciled: ${faults.length}`);
  return { asked: open.asked + watched.asked, changed: open.changed + watched.changed };
}

type Visit = { asked: number; changed: number; faults: unknown[] };

async function visitAll(
  list: (after: bigint) => Promise<DepositRow[]>,
  visit: (deposit: DepositRow) => Promise<boolean>,
): Promise<Visit> {
  const done: Visit = { asked: 0, changed: 0, faults: [] };
  let after = 0n;
  for (;;) {
    const deposits = await list(after);
    const waiting = [...deposits];
    const worker = async () => {
      for (let deposit = waiting.shift(); deposit !== undefined; deposit = waiting.shift()) {
        done.asked += 1;
        try {
          if (await visit(deposit)) done.changed += 1;
        } catch (error) {
          done.faults.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    after = deposits.at(-1)?.id ?? after;
    if (deposits.length < CHUNK) return done;
  }
}

async function look(context: Context, gateway: Gateway, deposit: DepositRow): Promise<boolean> {
  if (deposit.invoice_id === null) return completeOrFail(context, gateway, deposit);
  const hasChanged = await followDeposit(context, gateway, deposit.id);
  // Its settings name another store or account now: what is paid at this one would never be seen.
  if (hasChanged === undefined)
    throw new Error(`${gateway.name} does not know the invoice of deposit ${deposit.reference}`);
  return hasChanged;
}

async function lookAgain(context: Context, gateway: Gateway, deposit: DepositRow): Promise<boolean> {
  const hasChanged = await followDeposit(context, gateway, deposit.id);
  await updateCheckedAt(context.db, deposit.id, context.now());
  return hasChanged === true;
}

/** Left without an invoice by a crash or a gateway that did not answer: one more try until its hour is over. */
async function completeOrFail(context: Context, gateway: Gateway, deposit: DepositRow): Promise<boolean> {
  const isOver = context.now().getTime() >= deposit.created_at.getTime() + minutesToPay(deposit.pay_with) * 60_000;
  if (!isOver) return (await issueInvoice(context, gateway, deposit)).invoice_id !== null;
  return inTransaction(context.db, async (tx) => {
    const locked = await lockDeposit(tx, deposit.id, deposit.version);
    if (locked === undefined) return false;
    await updateDeposit(tx, {
      id: locked.id,
      state: 'failed',
      creditMicros: 0n,
      holdMicros: 0n,
      paymentId: null,
      now: context.now(),
    });
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: 'deposit.failed',
      subject: `deposit:${locked.id}`,
      before: { state: locked.state },
      after: { state: 'failed', reason: 'no invoice' },
    });
    return true;
  });
}
