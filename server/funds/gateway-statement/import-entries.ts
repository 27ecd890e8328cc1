import { writeDollars } from '#contract/money.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { listTransfersByKey } from '#server/ledger/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { type Amount, compareEntries } from '../core/compare-entries.ts';
import { atEach, chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway, GatewayEntry } from '../gateways/gateway.ts';
import { networkFeeKey } from '../withdrawals/move-withdrawal.ts';
import {
  type Booked,
  closeMatched,
  type Finding,
  findFirstBooking,
  listBooked,
  listEntriesAbout,
  listOpenTopics,
  listStatements,
  lockFinding,
  lockStatement,
  type Statement,
  updateAsked,
  updateCovered,
  updateExplained,
  updateFault,
  upsertEntries,
  upsertFinding,
} from './entry-sql.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A statement overlaps the previous one by this much. */
const OVERLAP_MS = 3 * DAY_MS;
/** Longest period of a statement. */
const FIRST_MS = 90 * DAY_MS;
/** Allowed lag between a movement, its listing and its booking: polling takes up to an hour, confirmations longer. */
const LATE_MS = 3 * HOUR_MS;
/** Delay after a failure; an operator's request is executed at once. */
const RETRY_MS = 10 * 60_000;

type Listing = Gateway & Required<Pick<Gateway, 'listEntries'>>;
export const lists = (gateway: Gateway): gateway is Listing => gateway.listEntries !== undefined;

/** Requests an early import from every gateway. Refuses `not_found` when none has a statement. */
export async function requestImport(
  context: Context,
  actor: OperatorActor,
  gateways: readonly Gateway[],
): Promise<void> {
  const listing = gateways.filter(lists);
  if (listing.length === 0) throw new Refused('not_found');
  await inTransaction(context.db, async (tx) => {
    for (const { name } of listing.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      await lockStatement(tx, name);
      await updateAsked(tx, name, context.now());
    }
    await writeAudit(tx, { ...actingAs(actor), action: 'gateway_statement.import', subject: 'gateway_statement' });
  });
}

/**
 * Job: imports each gateway's statement, daily and on an operator's request, and compares it with what we booked. A
 * gateway that does not respond is shown to operators and retried after ten minutes; nothing partial is stored. Entries
 * that cannot be stored are shown, too, and left out.
 *
 * @returns the number of statements imported
 */
export const importEntriesWhenDue = (context: Context, gateways = chooseGateways(context)): Promise<number> =>
  atEach(gateways.filter(lists), async (gateway) => {
    const [statement] = await listStatements(context.db, [gateway.name]);
    if (statement === undefined || !isDue(statement, context.now())) return 0;
    try {
      await importEntries(context, gateway as Listing);
      return 1;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'gateway_unavailable') throw error;
      await inTransaction(context.db, async (tx) => {
        await lockStatement(tx, gateway.name);
        await updateFault(tx, gateway.name, { message: 'The gateway did not respond.', at: context.now() });
      });
      return 0;
    }
  });

function isDue({ askedAt, faultAt, to }: Statement, now: Date): boolean {
  const isAsked = askedAt !== null && (to === null || askedAt > to);
  if (isAsked && (faultAt === null || askedAt > faultAt)) return true;
  if (faultAt !== null && now.getTime() < faultAt.getTime() + RETRY_MS) return false;
  return isAsked || to === null || now.getTime() >= to.getTime() + DAY_MS;
}

/**
 * Stores a gateway's statement and compares every topic that it touches, in one transaction after everything was
 * fetched: an interrupted import starts over. Refuses `gateway_unavailable`.
 */
export async function importEntries(context: Context, gateway: Listing): Promise<void> {
  const to = context.now();
  const [before] = await listStatements(context.db, [gateway.name]);
  const first = before?.to ?? (await findFirstBooking(context.db, gateway.name)) ?? to;
  const from = new Date(Math.max(first.getTime() - OVERLAP_MS, to.getTime() - FIRST_MS));
  const entries = await gateway.listEntries(from, to);
  await inTransaction(context.db, (tx) => store(tx, gateway.name, { from, to }, entries));
}

type Period = { readonly from: Date; readonly to: Date };

/** An odd entry must not keep the others from being compared. */
const isStorable = ({ id, about, at, asset, units }: GatewayEntry): boolean =>
  [id, about, asset].every((text) => /^[\x20-\x7e]{1,300}$/.test(text)) &&
  at.getUTCFullYear() < 10_000 &&
  /^-?\d{1,60}(\.\d{1,60})?$/.test(units);

function describeOdd(odd: readonly GatewayEntry[], count: number): string {
  const names = odd.slice(0, 5).map(({ kind, id }) => `${kind} ${id.slice(0, 40).replaceAll(/[^\x20-\x7e]/g, '?')}`);
  return `Only in part: ${odd.length} of ${count} entries cannot be stored: ${names.join(', ')}`;
}

async function store(tx: Tx, gateway: string, period: Period, listed: readonly GatewayEntry[]): Promise<void> {
  const { from, to } = period;
  const entries = listed.filter(isStorable);
  await lockStatement(tx, gateway);
  await upsertEntries(tx, gateway, entries, to);
  const topics = [...new Set([...entries.map(({ about }) => about), ...(await listOpenTopics(tx, gateway))])];
  const booked = await listBooked(tx, gateway, { from, topics });
  const all = [...new Set([...topics, ...booked.map(({ about }) => about)])];
  const compared = compareEntries(await listEntriesAbout(tx, gateway, all), [
    ...booked,
    ...(await listFees(tx, booked)),
  ]);
  await closeMatched(
    tx,
    gateway,
    compared.filter(({ kind }) => kind === 'matched').map(({ about }) => about),
    to,
  );
  for (const one of compared) {
    const isLate = one.at.getTime() < to.getTime() - LATE_MS;
    if (one.kind !== 'matched' && isLate) await upsertFinding(tx, gateway, one, to);
  }
  await updateCovered(tx, gateway, period);
  const odd = listed.filter((entry) => !isStorable(entry));
  if (odd.length > 0) await updateFault(tx, gateway, { message: describeOdd(odd, listed.length), at: to });
}

/** Network fees of payouts in dollars, which are separate transfers in the ledger. */
async function listFees(tx: Tx, booked: readonly Booked[]): Promise<Amount[]> {
  const byKey = new Map(
    booked.flatMap((one) => (one.withdrawalId === null ? [] : [[networkFeeKey(one.withdrawalId), one]])),
  );
  const fees: Amount[] = [];
  for (const [key, { about, at, asset, reference }] of byKey)
    for (const { amountMicros } of await listTransfersByKey(tx, [key]))
      fees.push({
        about,
        at,
        asset,
        reference,
        units: writeDollars(-amountMicros),
      });
  return fees;
}

/**
 * Closes a finding with an operator's explanation of the figures they saw; it is reopened when its figures change.
 * Audited.
 *
 * Refuses `not_found`, `statement_settled`, `statement_changed`.
 */
export function explainFinding(
  context: Context,
  actor: OperatorActor,
  input: { readonly id: bigint; readonly reason: string } & Pick<Finding, 'listed' | 'booked'>,
): Promise<void> {
  const { id, reason } = input;
  return inTransaction(context.db, async (tx) => {
    const finding = orRefuse(await lockFinding(tx, id), 'not_found');
    if (finding.state !== 'open') throw new Refused('statement_settled');
    // An import since then may have changed the figures.
    if (finding.listed !== input.listed || finding.booked !== input.booked) throw new Refused('statement_changed');
    await updateExplained(tx, id, { explanation: reason, by: actor.operatorId, at: context.now() });
    const subject = `gateway_finding:${id}`;
    const { about, kind, listed, booked } = finding;
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'gateway_statement.explain',
      subject,
      after: { about, kind, listed, booked, reason },
    });
  });
}
