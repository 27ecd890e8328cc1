import { type RawBuilder, sql } from 'kysely';
import { accountId, type MemberClass } from '../core/account.ts';
import { flows, type Reason } from '../core/flow.ts';

export type Period = { readonly from?: Date | undefined; readonly to?: Date | undefined };
export type Side = 'debit' | 'credit';

/** A line's place: two per transfer, the credit after the debit. */
export const places: Readonly<
  Record<Side, { own: RawBuilder<unknown>; after: RawBuilder<unknown>; sign: bigint; offset: bigint }>
> = {
  debit: { own: sql`t.from_account`, after: sql`t.from_balance_after`, sign: -1n, offset: 0n },
  credit: { own: sql`t.to_account`, after: sql`t.to_balance_after`, sign: 1n, offset: 1n },
};

/** The ranges as a relation `range(account, reason)`. */
export const rangesOf = (ranges: readonly StatementRange[]): RawBuilder<unknown> => sql`
  unnest(${ranges.map((range) => range.account)}::bigint[], ${ranges.map((range) => range.reason)}::ledger.reason[])
    as range(account, reason)`;

/**
 * Ids grow with time only nearly: a posting of many transfers takes its instant before its last id. An hour's margin
 * covers that; the instants themselves decide. Without the bounds an old period would be searched for from the newest id on.
 */
export function idBounds(period: Period): RawBuilder<unknown> {
  return sql`with bound as materialized (
    select ${period.from ?? null}::timestamptz as from_at, ${period.to ?? null}::timestamptz as to_at,
      ledger.first_transfer_since(${period.from ?? null}::timestamptz - interval '1 hour') as first_id,
      coalesce(ledger.first_transfer_since(${period.to ?? null}::timestamptz + interval '1 hour'), ${MAX_ID}::bigint) as end_id)`;
}

const MAX_ID = 2n ** 63n - 1n;

/*
 * Both below say of reason and id what says less as one row, because so nothing but the index of account, reason and id can
 * answer. Where ids alone are bounded or ordered, the planner believes at times that it is quicker to read the whole ledger
 * until enough lines were met, and for a reason that never came that is all of it.
 */

/**
 * Of the transfers `t`, those of `range` in the period. The index is read from the beginning of the period on; behind its
 * end it is only passed over, without a look at the rows.
 */
export function inPeriod(side: Side, period: Period): RawBuilder<unknown> {
  const { own } = places[side];
  const since =
    period.from === undefined
      ? sql`t.reason = range.reason`
      : sql`t.reason <= range.reason and (t.reason, t.id) >= (range.reason, bound.first_id) and t.created_at >= bound.from_at`;
  const until =
    period.to === undefined
      ? sql``
      : sql`and (t.reason, t.id) < (range.reason, bound.end_id) and t.created_at < bound.to_at`;
  return sql`${own} = range.account and ${own} >= 32 and ${since} ${until}`;
}

/**
 * The newest transfers of `range` in the period with ids below `end`, as a relation `t`. What is surely older than the period
 * ends the search instead of being searched through, and is left out after it.
 */
export function newestOf(side: Side, period: Period, end: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const { own } = places[side];
  const since = period.from === undefined ? sql`` : sql`and (t.created_at >= bound.from_at or t.id < bound.first_id)`;
  const until = period.to === undefined ? sql`` : sql`and t.created_at < bound.to_at`;
  const kept = period.from === undefined ? sql`` : sql`where t.id >= bound.first_id`;
  return sql`
    (select * from (
      select * from ledger.transfer t
      where ${own} = range.account and ${own} >= 32
        and t.reason >= range.reason and (t.reason, t.id) < (range.reason, ${end}) ${since} ${until}
      order by t.reason desc, t.id desc limit ${limit}
    ) t ${kept}) t`;
}

/** One range of an index: the transfers of one account on one side for one reason, in the order of their ids. */
export type StatementRange = { readonly account: bigint; readonly reason: Reason };

export type StatementRanges = { readonly debit: readonly StatementRange[]; readonly credit: readonly StatementRange[] };

/**
 * The ranges a statement is merged from. The flows tell which can exist at all; a reversal can meet either side of
 * any account. `statementRanges(3n, ['profit'], ['deposit'])` has none: a deposit never reaches that wallet.
 */
export function statementRanges(
  memberId: bigint,
  classes: readonly MemberClass[],
  reasons: readonly Reason[] | undefined,
): StatementRanges {
  const isWanted = (reason: Reason) => reasons === undefined || reasons.includes(reason);
  const rangesOf = (side: 0 | 1) =>
    classes.flatMap((name) => {
      const usual = flows.filter((flow) => flow[side] === name).map(([, , reason]) => reason);
      const account = accountId({ memberId, class: name });
      return [...new Set<Reason>([...usual, 'reversal'])].filter(isWanted).map((reason) => ({ account, reason }));
    });
  return { debit: rangesOf(0), credit: rangesOf(1) };
}
