import { sql } from 'kysely';
import type { DepositState, PayWay } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, getValue, hasRow, listRows, listValues } from '#server/db/rows.ts';
import { openDepositStates } from '../core/follow-invoice.ts';
import type { GatewayName } from '../gateways/gateway.ts';
import { type PageFilter, pageById } from '../page-sql.ts';

export type DepositRow = {
  id: bigint;
  member_id: bigint;
  reference: string;
  amount_micros: bigint;
  state: DepositState;
  paid_micros: bigint | null;
  booked_micros: bigint;
  credited_micros: bigint | null;
  refunded_micros: bigint;
  gateway: string;
  pay_with: PayoutNetwork | null;
  invoice_id: string | null;
  pay_url: string | null;
  pay_ways: PayWay[] | null;
  payment_id: string | null;
  note: string | null;
  expires_at: Date;
  body_hash: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
};

/** SQL of `openDepositStates`. */
export const isOpenDeposit = sql`(state in (${sql.join(openDepositStates.map((state) => sql.lit(state)))}))`;

const columns = sql`
  id, member_id, reference, amount_micros, state, paid_micros, booked_micros, credited_micros, refunded_micros, gateway,
  pay_with, invoice_id, pay_url, pay_ways, payment_id, note, expires_at, body_hash, version, created_at, updated_at`;

export type NewDeposit = {
  readonly memberId: bigint;
  readonly reference: string;
  readonly amountMicros: bigint;
  readonly gateway: string;
  readonly payWith: PayoutNetwork | null;
  readonly expiresAt: Date;
  readonly onceKey: string | null;
  readonly bodyHash: string | null;
  readonly now: Date;
};

/** Undefined when the reference is in use, or when the member's key already created a deposit. */
export const insertDeposit = (tx: Tx, row: NewDeposit) =>
  findRow(tx)<DepositRow>`
    insert into funds.deposit (member_id, reference, amount_micros, state, gateway, pay_with, expires_at, once_key,
                               body_hash, created_at, updated_at)
    values (${row.memberId}, ${row.reference}, ${row.amountMicros}, 'created', ${row.gateway}, ${row.payWith},
            ${row.expiresAt}, ${row.onceKey}, ${row.bodyHash}, ${row.now}, ${row.now})
    on conflict do nothing
    returning ${columns}`;

/** Serializes a member's new deposits, so that two concurrent ones cannot exceed the limit. */
export const lockDepositsOf = (tx: Tx, memberId: bigint) =>
  execute(tx)`select pg_advisory_xact_lock(hashtextextended('funds.deposit of ' || ${memberId}::bigint, 0))`;

/** Number of a member's deposits that can still be paid, in full or in part. */
export const countOpenInvoices = (tx: Tx, memberId: bigint, now: Date): Promise<number> =>
  getValue(tx)<number>`
      select count(*)::int as count from funds.deposit
      where member_id = ${memberId} and state in ('created', 'underpaid') and expires_at > ${now}`;

export const findDepositByKey = (db: Db, memberId: bigint, onceKey: string) =>
  findRow(db)<DepositRow>`
    select ${columns} from funds.deposit where member_id = ${memberId} and once_key = ${onceKey}`;

export const findDeposit = (db: Db, id: bigint) =>
  findRow(db)<DepositRow>`select ${columns} from funds.deposit where id = ${id}`;

export const findMemberDeposit = (db: Db, memberId: bigint, id: bigint) =>
  findRow(db)<DepositRow>`
    select ${columns} from funds.deposit where id = ${id} and member_id = ${memberId}`;

export const findDepositByInvoice = (db: Db, gateway: string, invoiceId: string) =>
  findRow(db)<DepositRow>`
    select ${columns} from funds.deposit where gateway = ${gateway} and invoice_id = ${invoiceId}`;

type DepositPage = PageFilter & { readonly state: DepositState | undefined };

/** Newest first. */
export const listMemberDeposits = (db: Db, { memberId, ...page }: DepositPage & { readonly memberId: bigint }) =>
  listRows(db)<DepositRow>`select ${columns} from funds.deposit where member_id = ${memberId} and ${pageById(page)}`;

/** Deposits of all members; oldest first in review, else newest first. */
export const listOperatorDepositRows = (db: Db, page: DepositPage) =>
  listRows(db)<DepositRow>`select ${columns} from funds.deposit where ${pageById(page, page.state === 'review')}`;

/** Attaches an invoice to a deposit without one. Undefined when another request was first. */
export const updateInvoice = (
  tx: Tx,
  row: { id: bigint; invoiceId: string; payUrl: string | null; payWays: readonly PayWay[]; expiresAt: Date; now: Date },
) =>
  findRow(tx)<DepositRow>`
    update funds.deposit
    set invoice_id = ${row.invoiceId}, pay_url = ${row.payUrl}, pay_ways = ${JSON.stringify(row.payWays)}::jsonb,
        expires_at = ${row.expiresAt}, updated_at = ${row.now}, version = version + 1
    where id = ${row.id} and invoice_id is null and state = 'created'
    returning ${columns}`;

/** Locks the row; undefined when its version has changed since it was read. */
export async function lockDeposit(tx: Tx, id: bigint, version: number): Promise<DepositRow | undefined> {
  const row = await findRow(tx)<DepositRow>`
    select ${columns} from funds.deposit where id = ${id} for update`;
  return row?.version === version ? row : undefined;
}

export async function updateDeposit(
  tx: Tx,
  row: {
    id: bigint;
    state: DepositState;
    creditMicros: bigint;
    holdMicros: bigint;
    paymentId: string | null;
    /** Both unchanged when missing. */
    paidMicros?: bigint;
    payWays?: readonly PayWay[];
    now: Date;
  },
): Promise<void> {
  const payWays = row.payWays === undefined ? null : JSON.stringify(row.payWays);
  await execute(tx)`
    update funds.deposit
    set state = ${row.state}, booked_micros = booked_micros + ${row.creditMicros}::bigint + ${row.holdMicros}::bigint,
        credited_micros = ${creditedMore(row.creditMicros)}, payment_id = coalesce(payment_id, ${row.paymentId}), paid_micros = coalesce(${row.paidMicros ?? null}::bigint, paid_micros),
        pay_ways = coalesce(${payWays}::jsonb, pay_ways), updated_at = ${row.now}, version = version + 1
    where id = ${row.id}`;
}

/** Stores an operator's decision on a deposit that the caller has locked. */
export const updateDecided = (
  tx: Tx,
  row: {
    readonly id: bigint;
    readonly state: DepositState;
    readonly creditMicros: bigint;
    readonly refundMicros: bigint;
    readonly note: string;
    readonly now: Date;
  },
) =>
  getRow(tx)<DepositRow>`
    update funds.deposit
    set state = ${row.state}, refunded_micros = refunded_micros + ${row.refundMicros}::bigint,
        credited_micros = ${creditedMore(row.creditMicros)}, note = ${row.note}, updated_at = ${row.now}, version = version + 1
    where id = ${row.id}
    returning ${columns}`;

/** Stays null until something was credited. */
const creditedMore = (micros: bigint) =>
  sql`case when ${micros}::bigint > 0 then coalesce(credited_micros, 0) + ${micros}::bigint else credited_micros end`;

/** Open deposits after an id, in id order. Without an invoice, only those created before `madeBefore`. */
export const listOpenDeposits = (db: Db, filter: { gateway: string; after: bigint; madeBefore: Date; limit: number }) =>
  listRows(db)<DepositRow>`
    select ${columns} from funds.deposit
    where ${isOpenDeposit}
      and gateway = ${filter.gateway} and id > ${filter.after}
      and (invoice_id is not null or created_at <= ${filter.madeBefore})
    order by id limit ${filter.limit}`;

/** Other gateways with open deposits. */
export const listOtherGateways = (db: Db, names: readonly string[]) =>
  listValues(db)<string>`
    select distinct gateway from funds.deposit
    where ${isOpenDeposit} and gateway <> all(${names}::text[])
    order by gateway`;

/** Open deposits of other gateways that have expired and are unchanged since then and this instant, in id order. */
export const listLeftDeposits = (db: Db, filter: { names: readonly string[]; since: Date; limit: number }) =>
  listRows(db)<DepositRow>`
    select ${columns} from funds.deposit
    where ${isOpenDeposit} and gateway <> all(${filter.names}::text[])
      and greatest(expires_at, updated_at) <= ${filter.since}
    order by id limit ${filter.limit}`;

/**
 * Closed deposits due for a check whose invoice the gateway still watches for late payments. They are not urgent: each
 * is checked hourly on the first day, then less and less often.
 */
export const listWatchedDeposits = (
  db: Db,
  filter: { gateway: string; after: bigint; expiredAfter: Date; now: Date; limit: number },
) =>
  listRows(db)<DepositRow>`
    select ${columns} from funds.deposit
    where not ${isOpenDeposit} and gateway = ${filter.gateway} and id > ${filter.after}
      and invoice_id is not null and expires_at > ${filter.expiredAfter}
      and coalesce(checked_at, created_at) <= ${filter.now}::timestamptz
        - greatest(interval '1 hour', (${filter.now}::timestamptz - expires_at) / 24)
    order by id limit ${filter.limit}`;

/** Deposits whose invoice may have unbooked payments: open ones, and closed ones that are still watched. */
export const listDepositsWithCoins = (db: Db, gateway: GatewayName, closedAfter: Date) =>
  listRows(db)<DepositRow>`
    select ${columns} from funds.deposit
    where gateway = ${gateway} and invoice_id is not null
      and (${isOpenDeposit} or expires_at > ${closedAfter})
    order by id`;

/** Invoices of booked deposits created before `madeSince` and changed at or after `changedSince`. */
export const listEarlierInvoices = (
  db: Db,
  gateway: GatewayName,
  { madeSince, changedSince }: { readonly madeSince: Date; readonly changedSince: Date },
) =>
  listValues(db)<string>`
    select invoice_id from funds.deposit
    where gateway = ${gateway} and invoice_id is not null and booked_micros > 0
      and created_at < ${madeSince} and updated_at >= ${changedSince}
    order by id`;

export const updateCheckedAt = (db: Db, id: bigint, now: Date) =>
  execute(db)`update funds.deposit set checked_at = ${now} where id = ${id}`;

/** Keeps the first acceptance. */
export const insertRiskAcceptance = (tx: Tx, memberId: bigint, now: Date) =>
  execute(tx)`
    insert into funds.risk_acceptance (member_id, accepted_at) values (${memberId}, ${now})
    on conflict (member_id) do nothing`;

export const hasAcceptedRisk = (db: Db, memberId: bigint) =>
  hasRow(db)`select 1 from funds.risk_acceptance where member_id = ${memberId}`;

/** Whether any deposit was ever booked at this gateway. */
export const hasDepositsOf = (db: Db, gateway: GatewayName) =>
  hasRow(db)`select 1 from funds.deposit where gateway = ${gateway} and booked_micros > 0 limit 1`;
