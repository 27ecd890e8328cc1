import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow } from '#server/db/rows.ts';

export type ReportSource = 'gateway' | 'venue';
export type Report = { readonly micros: bigint; readonly at: Date };

export const insertReport = (tx: Tx, source: ReportSource, { micros, at }: Report): Promise<void> =>
  execute(tx)`
    insert into solvency.report (source, micros, reported_at) values (${source}, ${micros}, ${at})`;

export const findLastReport = (db: Db, source: ReportSource): Promise<Report | undefined> =>
  findRow(db)`
    select micros, reported_at as at from solvency.report where source = ${source} order by id desc limit 1`;
