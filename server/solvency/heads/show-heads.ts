import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { solvencyHeads } from '#contract/solvency/proof.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import { listStatements } from '#server/signing/index.ts';
import { findLastPublished, listPublished } from './heads-sql.ts';

type ListHeads = typeof solvencyHeads.listHeads;

/** The latest published heads, null before the first, and all keys so far. */
export async function getHeads({ db }: Context): Promise<DataOf<typeof solvencyHeads.getHeads>> {
  return { latest: (await findLastPublished(db)) ?? null, keys: await listStatements(db) };
}

/** All published heads, newest first. The cursor is the hour of the last one shown. */
export async function listHeads({ db }: Context, { cursor, limit }: QueryOf<ListHeads>): Promise<DataOf<ListHeads>> {
  const found = await listPublished(db, readCursor(cursor, readHour), limit + 1);
  const { rows, nextCursor } = cutPage(found, limit, ({ hour }) => String(hour.getTime() / 3_600_000));
  return { items: rows.flatMap(({ document }) => document ?? []), next_cursor: nextCursor };
}

const readHour = (cursor: string): Date | undefined =>
  /^\d{1,7}$/.test(cursor) ? new Date(Number(cursor) * 3_600_000) : undefined;
