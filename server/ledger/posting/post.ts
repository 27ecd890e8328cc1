import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import { findRow, listRows, prepared } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { type AccountRef, accountId } from '../core/account.ts';
import type { FlowReason } from '../core/flow.ts';

/** A transfer to post. The key makes it idempotent; the reference names its cause (`trade 17`, `DP-7M2QX4`). */
export type Transfer = {
  readonly key: string;
  readonly from: AccountRef;
  readonly to: AccountRef;
  readonly amountMicros: bigint;
  readonly reason: FlowReason;
  readonly reference: string;
  readonly marketAt: Date;
  readonly note?: string | undefined;
};

/** Balances after are those of the statement; null for house accounts, which store none. */
export type PostedTransfer = {
  readonly id: bigint;
  readonly key: string;
  readonly fromBalanceAfterMicros: bigint | null;
  readonly toBalanceAfterMicros: bigint | null;
};

/**
 * Posts all transfers in this order, or none (docs/product.md, section 2). A key that was posted before with the same
 * content returns its first result and moves nothing; with different content it is an error, as is a flow that does not
 * exist.
 *
 * Placing $250 from a primary wallet with $1,000 returns `fromBalanceAfterMicros: 750_000_000n`.
 *
 * @returns one result per transfer, in the same order
 * @throws Refused insufficient_funds if any step would take a member account below zero
 */
export function post(tx: Tx, transfers: readonly Transfer[]): Promise<PostedTransfer[]> {
  return postChecked(tx, transfers.map(toDraft));
}

/**
 * Posts the drafts that a query selects, without transferring rows. Its columns, in this order: `key, from_account,
 * to_account, amount, reason, reference, market_at, note`; build accounts with `memberAccount` and `houseAccount`. Add
 * an `order by` where the order of a member's own transfers matters.
 *
 * @returns the number of drafts, including those posted before
 * @throws Refused insufficient_funds as `post` does
 */
export async function postFrom(tx: Tx, drafts: RawBuilder<unknown>): Promise<number> {
  const row = await refuseOverdraft(findRow(tx)<{ posted: bigint }>`select ${postingSet(drafts)} as posted`);
  return Number(row?.posted ?? 0n);
}

/** Shared by `post` and `reverse`, which differ only in the drafts they permit. */
async function postChecked(tx: Tx, drafts: readonly Draft[]): Promise<PostedTransfer[]> {
  if (drafts.length === 0) return [];
  const rows = await refuseOverdraft(postDrafts(tx, drafts));
  assert.equal(rows.length, drafts.length);
  return rows;
}

const toDraft = (transfer: Transfer): Draft => ({
  key: transfer.key,
  fromAccount: accountId(transfer.from),
  toAccount: accountId(transfer.to),
  amountMicros: transfer.amountMicros,
  reason: transfer.reason,
  reference: transfer.reference,
  marketAt: transfer.marketAt,
  note: transfer.note ?? null,
  reverses: null,
});

/** The overdraft constraint, on both accounts and statement lines. */
const OVERDRAFT = 'member_account_never_negative';

/** Turns a violation of the overdraft constraint into `insufficient_funds`. */
export async function refuseOverdraft<T>(posted: Promise<T>): Promise<T> {
  try {
    return await posted;
  } catch (error) {
    if ((error as { constraint?: unknown }).constraint === OVERDRAFT) throw new Refused('insufficient_funds');
    throw error;
  }
}

export type Reversal = Pick<Transfer, 'key' | 'reference' | 'marketAt' | 'note'> & {
  readonly transferId: bigint;
  /** What people agreed to, if they did: another movement is an error. */
  readonly agreed?: Pick<Transfer, 'from' | 'to' | 'amountMicros'>;
};

/**
 * Reverses a transfer with its exact opposite: same amount, accounts swapped. A transfer is reversed at most once, and
 * a reversal never (docs/product.md, section 2, "Reversals"). Reversing a deposit of $100 moves $100 from the primary
 * wallet to the gateway.
 *
 * @throws Refused insufficient_funds if the member no longer has the money
 */
export async function reverse(tx: Tx, reversal: Reversal): Promise<PostedTransfer> {
  const transfer = await findRow(tx)<{ from_account: bigint; to_account: bigint; amount: bigint }>`
    select from_account, to_account, amount from ledger.transfer where id = ${reversal.transferId}`;
  assert(transfer, `transfer ${reversal.transferId} does not exist`);
  const { agreed } = reversal;
  if (agreed !== undefined)
    assert.deepEqual(
      [accountId(agreed.from), accountId(agreed.to), agreed.amountMicros],
      [transfer.to_account, transfer.from_account, transfer.amount],
      `what transfer ${reversal.transferId} moved is not what was agreed`,
    );
  const [posted] = await postChecked(tx, [
    {
      key: reversal.key,
      fromAccount: transfer.to_account,
      toAccount: transfer.from_account,
      amountMicros: transfer.amount,
      reason: 'reversal',
      reference: reversal.reference,
      marketAt: reversal.marketAt,
      note: reversal.note ?? null,
      reverses: reversal.transferId,
    },
  ]);
  assert(posted);
  return posted;
}

/** One transfer to post; the account ids are those of `core/account.ts`. */
type Draft = {
  key: string;
  fromAccount: bigint;
  toAccount: bigint;
  amountMicros: bigint;
  reason: string;
  reference: string;
  marketAt: Date;
  note: string | null;
  reverses: bigint | null;
};

/**
 * All drafts are sent as the text of one value. The statement stays short for any number of them, which the server
 * parses far faster than one parameter per field.
 */
async function postDrafts(tx: Tx, drafts: readonly Draft[]): Promise<PostedTransfer[]> {
  const [first] = drafts;
  const call =
    first !== undefined && drafts.length === 1
      ? sql`ledger.post_one(${draftRow(first)}::text::ledger.draft)`
      : sql`ledger.post(${draftArray(drafts)}::text::ledger.draft[])`;
  return listRows(tx)`
    ${prepared}
    select id, key, from_balance_after as "fromBalanceAfterMicros", to_balance_after as "toBalanceAfterMicros" from ${call}`;
}

/** PostgreSQL's text form of `ledger.draft[]`: rows in parentheses, quoted inside an array in braces. */
const draftArray = (drafts: readonly Draft[]): string => `{${drafts.map((draft) => quote(draftRow(draft))).join(',')}}`;

const draftRow = (d: Draft): string =>
  `(${[
    quote(d.key),
    d.fromAccount,
    d.toAccount,
    d.amountMicros,
    d.reason,
    quote(d.reference),
    quote(d.marketAt.toISOString()),
    d.note === null ? '' : quote(d.note),
    d.reverses ?? '',
  ].join(',')})`;

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

const columns = sql`key, from_account, to_account, amount, reason, reference, market_at, note`;
const draftOf = sql`
  row(d.key, d.from_account, d.to_account, d.amount, d.reason::ledger.reason, d.reference, d.market_at, d.note, null)::ledger.draft`;

/**
 * SQL that posts all drafts of a query and returns their number, for operations that write rows and post their
 * transfers in one statement. It belongs in the `with` clause, and its drafts (as for `postFrom`) may select from
 * earlier parts: `posted as materialized (select ${postingSet(drafts)})`, or for a single draft `posted as materialized
 * (select count(*) from ${postingEach(drafts)})`. The rest of the statement must read it, or PostgreSQL skips it. Wrap
 * the statement in `refuseOverdraft`.
 */
export const postingSet = (drafts: RawBuilder<unknown>): RawBuilder<bigint> => sql<bigint>`
  ledger.post_set(array(select ${draftOf} from (${drafts}) as d(${columns})))`;

/** SQL that posts the drafts of a query one by one, as a relation with one row each. Faster for a single draft. */
export const postingEach = (drafts: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  (${drafts}) as d(${columns}) cross join lateral ledger.post_one(${draftOf}) as posted`;

/**
 * SQL that locks a list of accounts and selects their ids and balances, skipping those that another transaction has
 * locked.
 */
export const freeAccounts = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id, balance from ledger.account where id = any (${ids}) order by id for no key update skip locked`;

/** The same, but waits for locked accounts. */
export const lockedAccounts = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select id, balance from ledger.account where id = any (${ids}) order by id for no key update`;
