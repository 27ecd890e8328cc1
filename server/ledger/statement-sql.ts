import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Reason } from './core/flow.ts';
import type { StatementRange, StatementRanges } from './core/statement-range.ts';

type Line = {
  position: bigint;
  account: bigint;
  reason: Reason;
  signed_amount: bigint;
  balance_after: bigint;
  reference: string;
  note: string | null;
  created_at: Date;
  market_at: Date;
};

type Period = { from?: Date | undefined; to?: Date | undefined };
type Page = Period & { before?: bigint | undefined; limit: number };
type Side = 'debit' | 'credit';

/** A line's place: two per transfer, the credit after the debit. */
const places: Readonly<
  Record<Side, { own: RawBuilder<unknown>; after: RawBuilder<unknown>; sign: bigint; offset: bigint }>
> = {
  debit: { own: sql`t.from_account`, after: sql`t.from_balance_after`, sign: -1n, offset: 0n },
  credit: { own: sql`t.to_account`, after: sql`t.to_balance_after`, sign: 1n, offset: 1n },
};

export async function listLines(db: Db, ranges: StatementRanges, page: Page): Promise<Line[]> {
  const { rows } = await sql<Line>`
    ${idBounds(page)}
    select line.* from (
      ${linesOf('debit', ranges.debit, page)} union all ${linesOf('credit', ranges.credit, page)}
    ) line
    order by line.position desc limit ${page.limit}`.execute(db);
  return rows;
}

function linesOf(side: Side, ranges: readonly StatementRange[], page: Page): RawBuilder<unknown> {
  const { own, after, sign, offset } = places[side];
  // Transfer ids below the cursor: those with id × 2 + offset < before.
  const seen = page.before === undefined ? sql`` : sql`and t.id < (${page.before}::bigint - ${offset}::bigint + 1) / 2`;
  return sql`
    select t.id * 2 + ${offset}::bigint as position, ${own} as account, t.reason, ${sign}::bigint * t.amount as signed_amount,
      ${after} as balance_after, t.reference, t.note, t.created_at, t.market_at
    from unnest(${accountsOf(ranges)}::bigint[], ${reasonsOf(ranges)}::ledger.reason[]) as range(account, reason)
    cross join bound cross join lateral (
      select * from ledger.transfer t
      where ${own} = range.account and ${own} >= 32 and t.reason = range.reason ${seen} ${inPeriod(page)}
      order by t.id desc limit ${page.limit}
    ) t`;
}

/** Sums one side of the ranges; what was reversed since is taken off. */
export async function sumAmounts(
  db: Db,
  query: Period & { side: Side; ranges: readonly StatementRange[] },
): Promise<bigint> {
  const { own } = places[query.side];
  const opposite = query.side === 'debit' ? sql`r.to_account` : sql`r.from_account`;
  const kept = query.ranges.filter((range) => range.reason !== 'reversal');
  const accounts = [...new Set(kept.map((range) => range.account))];
  const reasons = [...new Set(kept.map((range) => range.reason))];
  const { rows } = await sql<{ total: bigint }>`
    ${idBounds(query)}
    select (coalesce((
      select sum(t.amount)
      from unnest(${accountsOf(kept)}::bigint[], ${reasonsOf(kept)}::ledger.reason[]) as range(account, reason)
      cross join bound
      join ledger.transfer t on ${own} = range.account and ${own} >= 32 and t.reason = range.reason ${inPeriod(query)}
    ), 0) - coalesce((
      select sum(r.amount)
      from bound cross join ledger.transfer r join ledger.transfer t on t.id = r.reverses
      where ${opposite} = any(${accounts}::bigint[]) and ${opposite} >= 32 and r.reason = 'reversal'
        and t.reason = any(${reasons}::ledger.reason[]) ${inPeriod(query)}
    ), 0))::bigint as total`.execute(db);
  return rows[0]?.total ?? 0n;
}

const accountsOf = (ranges: readonly StatementRange[]) => ranges.map((range) => range.account);
const reasonsOf = (ranges: readonly StatementRange[]) => ranges.map((range) => range.reason);

/**
 * Ids grow with time only nearly: a posting of many transfers takes its instant before its last id. An hour's margin
 * covers that; the instants themselves decide. Without the bounds an old period would be searched for from the newest id on.
 */
function idBounds(period: Period): RawBuilder<unknown> {
  return sql`with bound as materialized (
    select ${period.from ?? null}::timestamptz as from_at, ${period.to ?? null}::timestamptz as to_at,
      ledger.first_transfer_since(${period.from ?? null}::timestamptz - interval '1 hour') as first_id,
      ledger.first_transfer_since(${period.to ?? null}::timestamptz + interval '1 hour') as end_id)`;
}

function inPeriod(period: Period): RawBuilder<unknown> {
  const since = period.from === undefined ? sql`` : sql`and t.id >= bound.first_id and t.created_at >= bound.from_at`;
  const until = period.to === undefined ? sql`` : sql`and t.id < bound.end_id and t.created_at < bound.to_at`;
  return sql`${since} ${until}`;
}
