import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';

export type ReportSource = 'gateway' | 'venue';
export type Report = {
  readonly micros: bigint;
  /** Balance in the ledger at that time; null in reports of older versions. */
  readonly booked: bigint | null;
  readonly at: Date;
};

export const insertReport = (tx: Tx, source: ReportSource, { micros, booked, at }: Report): Promise<void> =>
  execute(tx)`
    insert into solvency.report (source, micros, booked, reported_at) values (${source}, ${micros}, ${booked}, ${at})`;

export const findLastReport = (db: Db, source: ReportSource): Promise<Report | undefined> =>
  findRow(db)`
    select micros, booked, reported_at as at from solvency.report where source = ${source} order by id desc limit 1`;
