import assert from 'node:assert';
import { sql } from 'kysely';
import type { PayoutNetwork, Withdrawal, WithdrawalDetail, WithdrawalState } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import { firstRecorded } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getValue, listRows } from '#server/db/rows.ts';
import { orRefuse } from '#server/refused.ts';
import { openWithdrawalStates, type PayoutWay } from '../core/withdrawal-rules.ts';
import type { PayoutOrder } from '../gateways/gateway.ts';
import { type PageFilter, pageById } from '../page-sql.ts';

export type WithdrawalRow = {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly reference: string;
  readonly wallet: WalletType;
  readonly amount_micros: bigint;
  readonly fee_micros: bigint;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly state: WithdrawalState;
  /** UTC day of the request, `2026-03-04`. */
  readonly requested_on: string;
  readonly payout_way: PayoutWay | null;
  readonly handler_id: bigint | null;
  readonly gateway: string | null;
  readonly payout_started_at: Date | null;
  readonly payout_id: string | null;
  /** Coins ordered last, as decimal text; null where a coin is a dollar. */
  readonly payout_units: string | null;
  readonly transaction: string | null;
  /** `shownTransaction`. */
  readonly shown_transaction: string | null;
  readonly note: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/**
 * The transaction as the member sees it: null while the gateway's payout is uncertain, and after one that failed, since
 * it may then be another payment.
 */
export const shownTransaction = sql`case when payout_way = 'hand' or state in ('sent', 'completed') then transaction end`;

/** For queries elsewhere that select whole withdrawals. The day is text: the drivers parse dates in local time. */
export const withdrawalColumns = sql`
  id, member_id, reference, wallet, amount_micros, fee_micros, network, address, state,
  requested_on::text as requested_on, payout_way, handler_id, gateway, payout_started_at, payout_id,
  payout_units::text as payout_units, transaction, ${shownTransaction} as shown_transaction, note, version,
  created_at, updated_at`;

/** SQL of `openWithdrawalStates`. */
export const isOpenWithdrawal = sql`(state in (${sql.join(openWithdrawalStates.map((state) => sql.lit(state)))}))`;

/**
 * SQL for a row `w`: whether it goes where the member asked, according to the audit log, which nobody can change. True
 * for a row of an old version without an entry.
 */
export const isAsRequested = sql`coalesce(${firstRecorded(sql`'withdrawal:' || w.id`, 'withdrawal.requested')} @> jsonb_build_object(
  'network', w.network, 'address', w.address, 'amount_micros', w.amount_micros::text, 'fee_micros', w.fee_micros::text), true)`;

/** The payout order, less the fee. */
export const orderOf = (row: WithdrawalRow): PayoutOrder => ({
  reference: row.reference,
  network: row.network,
  address: row.address,
  amountMicros: row.amount_micros - row.fee_micros,
  units: row.payout_units,
});

type NewWithdrawal = {
  readonly memberId: bigint;
  readonly reference: string;
  readonly wallet: WalletType;
  readonly amountMicros: bigint;
  readonly feeMicros: bigint;
  readonly feePlanId: number;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly requestedOn: string;
  readonly now: Date;
};

/** Undefined when the reference is in use. */
export const insertWithdrawal = (tx: Tx, draft: NewWithdrawal) =>
  findRow(tx)<WithdrawalRow>`
    insert into funds.withdrawal (member_id, reference, wallet, amount_micros, fee_micros, fee_plan_id, network, address,
                                  state, requested_on, created_at, updated_at)
    values (${draft.memberId}, ${draft.reference}, ${draft.wallet}, ${draft.amountMicros}, ${draft.feeMicros},
            ${draft.feePlanId}, ${draft.network}, ${draft.address}, 'requested', ${draft.requestedOn}::date,
            ${draft.now}, ${draft.now})
    on conflict (reference) do nothing
    returning ${withdrawalColumns}`;

export const findWithdrawal = (db: Db, id: bigint) =>
  findRow(db)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where id = ${id}`;

/** The first lock of every change of a withdrawal, before member, payout switch, daily sum and ledger. */
export const lockWithdrawal = (tx: Tx, id: bigint) =>
  findRow(tx)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where id = ${id} for update`;

/** Undefined for another member's. */
export const lockMemberWithdrawal = (tx: Tx, memberId: bigint, id: bigint) =>
  findRow(tx)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where id = ${id} and member_id = ${memberId} for update`;

const findMemberWithdrawal = (db: Db, memberId: bigint, id: bigint) =>
  findRow(db)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where id = ${id} and member_id = ${memberId}`;

type WithdrawalPage = PageFilter & { readonly state: WithdrawalState | undefined };

/** Newest first. */
export const listMemberWithdrawals = (db: Db, { memberId, ...page }: WithdrawalPage & { readonly memberId: bigint }) =>
  listRows(db)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where member_id = ${memberId} and ${pageById(page)}`;

/** Withdrawals of all members; open ones oldest first, else newest first. */
export const listOperatorWithdrawalRows = (db: Db, page: WithdrawalPage) =>
  listRows(db)<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where ${pageById(
      page,
      openWithdrawalStates.some((state) => state === page.state),
    )}`;

/** Payouts of a gateway that are sent but not completed. */
export const listSentPayouts = (db: Db, gateway: string) =>
  listRows(db)<WithdrawalRow & { readonly payout_id: string }>`
    select ${withdrawalColumns} from funds.withdrawal
    where state = 'sent' and gateway = ${gateway} and payout_id is not null order by id`;

/** Micros sent by hand that have not arrived; these have no gateway id. */
export const sumSentByHand = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`
      select coalesce(sum(amount_micros - fee_micros), 0)::bigint as micros from funds.withdrawal
      where state = 'sent' and payout_id is null`;

/** Fields that can change besides the state; null clears a field, undefined keeps it. */
export type PayoutFields = {
  readonly payoutWay?: PayoutWay | null;
  readonly handlerId?: bigint | null;
  readonly gateway?: string | null;
  readonly payoutStartedAt?: Date | null;
  readonly payoutId?: string | null;
  readonly transaction?: string | null;
};

/**
 * Updates the payout fields of a withdrawal that the caller has locked, and increments its version. Only
 * `moveWithdrawal` changes the state. Without fields it only increments the version, as for the first of two approvals.
 */
export const updatePayout = (tx: Tx, row: WithdrawalRow, set: PayoutFields, now: Date): Promise<WithdrawalRow> =>
  updateState(tx, row, { ...set, state: row.state, note: row.note }, now);

/** For `moveWithdrawal` only. */
export async function updateState(
  tx: Tx,
  row: WithdrawalRow,
  set: PayoutFields & { readonly state: WithdrawalState; readonly note: string | null },
  now: Date,
): Promise<WithdrawalRow> {
  const after = await findRow(tx)<WithdrawalRow>`
    update funds.withdrawal set
      state = ${set.state}, note = ${set.note},
      payout_way = ${orUnchanged(set.payoutWay, row.payout_way)}, handler_id = ${orUnchanged(set.handlerId, row.handler_id)},
      gateway = ${orUnchanged(set.gateway, row.gateway)},
      payout_started_at = ${orUnchanged(set.payoutStartedAt, row.payout_started_at)},
      payout_id = ${orUnchanged(set.payoutId, row.payout_id)}, transaction = ${orUnchanged(set.transaction, row.transaction)},
      version = version + 1, updated_at = ${now}
    where id = ${row.id} and version = ${row.version}
    returning ${withdrawalColumns}`;
  assert(after !== undefined, `withdrawal ${row.id} was not locked while it was changed`);
  return after;
}

const orUnchanged = <T>(value: T | undefined, before: T): T => (value === undefined ? before : value);

/**
 * Adds an amount to the sum of a member's UTC day (`2026-03-04`), locking the row until the transaction ends; undefined
 * when it would exceed the limit. The caller has checked that the amount alone is within the limit.
 *
 * @returns the new sum
 */
export const addToDay = (
  tx: Tx,
  add: { readonly memberId: bigint; readonly day: string; readonly amountMicros: bigint; readonly limitMicros: bigint },
) =>
  findValue(tx)<bigint>`
    insert into funds.withdrawal_day as day (member_id, day, live_micros)
    values (${add.memberId}, ${add.day}::date, ${add.amountMicros})
    on conflict (member_id, day) do update set live_micros = day.live_micros + excluded.live_micros
    where day.live_micros + excluded.live_micros <= ${add.limitMicros}
    returning live_micros`;

/** Subtracts a rejected, cancelled or failed withdrawal from the sum of the day it was requested on. */
export const subtractFromDay = (tx: Tx, memberId: bigint, day: string, amountMicros: bigint) =>
  execute(tx)`
    update funds.withdrawal_day set live_micros = live_micros - ${amountMicros}
    where member_id = ${memberId} and day = ${day}::date`;

/** The daily sum, locked until the transaction ends, so that the two-operator rule decides on a stable value. */
export const lockDaySum = async (tx: Tx, memberId: bigint, day: string): Promise<bigint> =>
  (await findValue(tx)<bigint>`
    select live_micros from funds.withdrawal_day
    where member_id = ${memberId} and day = ${day}::date for update`) ?? 0n;

export const findDaySum = async (db: Db, memberId: bigint, day: string): Promise<bigint> =>
  (await findValue(db)<bigint>`
    select live_micros from funds.withdrawal_day where member_id = ${memberId} and day = ${day}::date`) ?? 0n;

/** A withdrawal as its member sees it, without its handler and payout details. */
export const showWithdrawal = (row: WithdrawalRow): Withdrawal => ({
  id: row.id.toString(),
  reference: row.reference,
  amount: toDollars(row.amount_micros),
  fee: toDollars(row.fee_micros),
  net: toDollars(row.amount_micros - row.fee_micros),
  wallet_type: row.wallet,
  network: row.network,
  address: row.address,
  state: row.state,
  transaction: row.shown_transaction,
  note: row.note,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The same with its steps, oldest first. */
export const showWithdrawalDetail = (row: WithdrawalRow, steps: readonly StepRow[]): WithdrawalDetail => ({
  ...showWithdrawal(row),
  steps: steps.map(({ state, note, occurred_at: at }) => ({ state, note, at: at.toISOString() })),
});

/** A withdrawal of the member with its steps. Refuses `withdrawal_not_found`, also for another member's. */
export async function getWithdrawal({ db }: Context, memberId: bigint, id: bigint): Promise<WithdrawalDetail> {
  const row = orRefuse(await findMemberWithdrawal(db, memberId, id), 'withdrawal_not_found');
  return showWithdrawalDetail(row, await listSteps(db, [id]));
}

export const insertStep = (
  tx: Tx,
  step: {
    readonly withdrawalId: bigint;
    readonly state: WithdrawalState;
    readonly note: string | null;
    readonly now: Date;
  },
) =>
  execute(tx)`
    insert into funds.withdrawal_step (withdrawal_id, state, note, occurred_at)
    values (${step.withdrawalId}, ${step.state}, ${step.note}, ${step.now})`;

type StepRow = {
  readonly withdrawal_id: bigint;
  readonly state: WithdrawalState;
  readonly note: string | null;
  readonly occurred_at: Date;
};

/** Steps of several withdrawals, oldest first for each. */
export const listSteps = (db: Db, withdrawalIds: readonly bigint[]) =>
  listRows(db)<StepRow>`
    select withdrawal_id, state, note, occurred_at from funds.withdrawal_step
    where withdrawal_id = any(${withdrawalIds}::bigint[]) order by withdrawal_id, id`;
