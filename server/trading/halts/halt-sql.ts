import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';

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
export const findStandingHalt = (db: Db | Tx) =>
  findRow(db)<HaltRow>`select ${columns} from trading.halt where ends_at is null`;

/** Those that stand or ended at an instant of market time or later, and began by another; the oldest first. */
export const listHaltsBetween = (db: Db, from: Date, until: Date) =>
  listRows(db)<HaltRow>`
    select ${columns} from trading.halt
    where (ends_at is null or ends_at >= ${from}) and starts_at <= ${until} order by id`;

type Halting = Pick<HaltRow, 'reason' | 'startsAt' | 'haltedAt' | 'haltedBy'>;

export const insertHalt = (tx: Tx, { reason, startsAt, haltedAt, haltedBy }: Halting) =>
  getRow(tx)<HaltRow>`
    insert into trading.halt (reason, starts_at, halted_at, halted_by)
    values (${reason}, ${startsAt}, ${haltedAt}, ${haltedBy}) returning ${columns}`;

type Lifting = { readonly endsAt: Date; readonly liftedAt: Date; readonly liftedBy: bigint; readonly note: string };

export const updateLifted = (tx: Tx, id: bigint, { endsAt, liftedAt, liftedBy, note }: Lifting) =>
  getRow(tx)<HaltRow>`
    update trading.halt set ends_at = ${endsAt}, lifted_at = ${liftedAt}, lifted_by = ${liftedBy}, note = ${note}
    where id = ${id} returning ${columns}`;
