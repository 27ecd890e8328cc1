import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type HaltRow = {
  readonly id: bigint;
  readonly reason: string;
  /** Market time; the end is null while it stands. */
  readonly startsAt: Date;
  readonly endsAt: Date | null;
  readonly haltedAt: Date;
  readonly haltedBy: bigint;
  readonly liftedAt: Date | null;
  readonly liftedBy: bigint | null;
  readonly note: string | null;
};

const columns = sql`
  id, reason, starts_at as "startsAt", ends_at as "endsAt", halted_at as "haltedAt", halted_by as "haltedBy",
  lifted_at as "liftedAt", lifted_by as "liftedBy", note`;

/** The one that stands. */
export async function findStandingHalt(db: Db | Tx): Promise<HaltRow | undefined> {
  const { rows } = await sql<HaltRow>`select ${columns} from trading.halt where ends_at is null`.execute(db);
  return rows[0];
}

/** Those that stand or ended at an instant of market time or later, and began by another; the oldest first. */
export async function listHaltsBetween(db: Db, from: Date, until: Date): Promise<HaltRow[]> {
  const { rows } = await sql<HaltRow>`
    select ${columns} from trading.halt
    where (ends_at is null or ends_at >= ${from}) and starts_at <= ${until} order by id`.execute(db);
  return rows;
}

type Halting = Pick<HaltRow, 'reason' | 'startsAt' | 'haltedAt' | 'haltedBy'>;

export async function insertHalt(tx: Tx, { reason, startsAt, haltedAt, haltedBy }: Halting): Promise<HaltRow> {
  const { rows } = await sql<HaltRow>`
    insert into trading.halt (reason, starts_at, halted_at, halted_by)
    values (${reason}, ${startsAt}, ${haltedAt}, ${haltedBy}) returning ${columns}`.execute(tx);
  return rows[0] as HaltRow;
}

type Lifting = { readonly endsAt: Date; readonly liftedAt: Date; readonly liftedBy: bigint; readonly note: string };

export async function updateLifted(
  tx: Tx,
  id: bigint,
  { endsAt, liftedAt, liftedBy, note }: Lifting,
): Promise<HaltRow> {
  const { rows } = await sql<HaltRow>`
    update trading.halt set ends_at = ${endsAt}, lifted_at = ${liftedAt}, lifted_by = ${liftedBy}, note = ${note}
    where id = ${id} returning ${columns}`.execute(tx);
  return rows[0] as HaltRow;
}
