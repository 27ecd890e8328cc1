import { type RawBuilder, sql } from 'kysely';
import { accountId, type MemberClass } from '../core/account.ts';
import { flows, type Reason } from '../core/flow.ts';

export type Period = { readonly from?: Date | undefined; readonly to?: Date | undefined };
export type Side = 'debit' | 'credit';

/** SQL of the two lines of a transfer; by `offset`, the credit follows the debit. */
export const sides: Readonly<
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
 * SQL that bounds a period by ids, with a margin of an hour: ids only roughly follow time, because a posting of many
 * transfers takes its instant before its last id. The instants decide. Without bounds, an old period would be searched
 * from the newest id down.
 */
export function idBounds(period: Period): RawBuilder<unknown> {
  return sql`with bound as materialized (
    select ${period.from ?? null}::timestamptz as from_at, ${period.to ?? null}::timestamptz as to_at,
      ledger.first_transfer_since(${period.from ?? null}::timestamptz - interval '1 hour') as first_id,
      coalesce(ledger.first_transfer_since(${period.to ?? null}::timestamptz + interval '1 hour'), ${MAX_ID}::bigint) as end_id)`;
}

const MAX_ID = 2n ** 63n - 1n;

/*
 * Both queries below compare reason and id as one row, so that only the index on account, reason and id matches. If ids
 * alone are bounded or ordered, the planner sometimes scans the ledger by id until it has enough lines, which for a
 * reason without transfers reads all of it.
 */

/**
 * SQL for whether transfer `t` belongs to `range` and the period. Reads the index from the start of the period; past
 * its end it reads index entries, but no rows.
 */
export function inPeriod(side: Side, period: Period): RawBuilder<unknown> {
  const { own } = sides[side];
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
 * The newest transfers of `range` in the period with ids below `end`, as a relation `t`. Transfers certainly older than
 * the period count towards the limit, which ends the search, and are filtered out afterwards.
 */
export function newestOf(side: Side, period: Period, end: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const { own } = sides[side];
  const since = period.from === undefined ? sql`` : sql`and (t.created_at >= bound.from_at or t.id < bound.first_id)`;
  const until = period.to === undefined ? sql`` : sql`and t.created_at < bound.to_at`;
  const within = period.from === undefined ? sql`` : sql`where t.id >= bound.first_id`;
  return sql`
    (select * from (
      select * from ledger.transfer t
      where ${own} = range.account and ${own} >= 32
        and t.reason >= range.reason and (t.reason, t.id) < (range.reason, ${end}) ${since} ${until}
      order by t.reason desc, t.id desc limit ${limit}
    ) t ${within}) t`;
}

/** One range of an index: the transfers of one account, on one side, for one reason, in id order. */
export type StatementRange = { readonly account: bigint; readonly reason: Reason };

export type StatementRanges = { readonly debit: readonly StatementRange[]; readonly credit: readonly StatementRange[] };

/**
 * The ranges that a statement is merged from. The permitted flows determine which can exist; a reversal can occur on
 * either side of any account. `statementRanges(3n, ['profit'], ['deposit'])` has none: a deposit never reaches that
 * wallet.
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
