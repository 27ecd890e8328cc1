import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { listValues } from './rows.ts';

/** SQL for whether trigger `t` is enabled and its function always raises. */
export const refuses = sql`(t.tgenabled in ('O', 'A') and exists (
  select from pg_proc p where p.oid = t.tgfoid and p.prosrc ~ '^\\s*begin\\s+raise exception [^;]*;\\s*end\\s*$'))`;

/** A table and the trigger that keeps it append-only. */
export type Guard = readonly [table: `${string}.${string}`, trigger: string];

/** Discrepancies for append-only tables whose trigger is missing, disabled, or permits changes. */
export async function listMissingGuards(
  db: Db,
  guards: readonly Guard[],
): Promise<{ kind: 'rule'; subject: string; message: string }[]> {
  const tables = await listValues(db)<string>`
    select wanted.name
    from unnest(${guards.map(([table]) => table)}::text[], ${guards.map(([, trigger]) => trigger)}::text[]) as wanted (name, trigger)
    where not exists (
      select from pg_trigger t where t.tgrelid = wanted.name::regclass and t.tgname = wanted.trigger and ${refuses})
    order by 1`;
  return tables.map((table) => ({
    kind: 'rule',
    subject: `append-only trigger on ${table}`,
    message: 'is missing or disabled',
  }));
}
