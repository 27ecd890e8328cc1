import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type ReportSource = 'gateway' | 'venue';
export type Report = { readonly micros: bigint; readonly at: Date };

export async function insertReport(tx: Tx, source: ReportSource, { micros, at }: Report): Promise<void> {
  await sql`
    insert into solvency.report (source, micros, reported_at) values (${source}, ${micros}, ${at})`.execute(tx);
}

export async function findLastReport(db: Db, source: ReportSource): Promise<Report | undefined> {
  const { rows } = await sql<Report>`
    select micros, reported_at as at from solvency.report where source = ${source} order by id desc limit 1`.execute(
    db,
  );
  return rows[0];
}
