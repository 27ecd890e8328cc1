import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { listRows } from './rows.ts';

/**
 * One section of a member's data export. `rows` is a query with a unique column `place`, which sorts and pages it; it
 * never selects secrets, their hashes, or other people's data. `test/member-data.db.test.ts` checks which tables these
 * queries omit.
 */
export type ExportSection = {
  readonly name: string;
  readonly rows: RawBuilder<unknown>;
  /** The type of `place`. */
  readonly place: 'bigint' | 'date' | 'text';
};

export type ExportedRow = Readonly<Record<string, unknown>>;

const ROWS_PER_BATCH = 500;

/** All rows of a section, in pages, because there can be a million. */
export async function* readSection(db: Db, { rows, place }: ExportSection): AsyncGenerator<ExportedRow[]> {
  const type = sql.raw(place);
  const readAfter = (after: string | null) =>
    listRows(db)<ExportedRow & { readonly place_text: string }>`
      select section.*, section.place::text as place_text from (${rows}) as section
      where ${after}::${type} is null or section.place > ${after}::${type}
      order by section.place limit ${ROWS_PER_BATCH}`;
  let after: string | null = null;
  do {
    const page = await readAfter(after);
    yield page.map(({ place: _, place_text: __, ...row }) => row);
    after = page.length === ROWS_PER_BATCH ? (page.at(-1)?.place_text ?? null) : null;
  } while (after !== null);
}

/** SQL for an amount in dollars with all micros: $250 is `250.000000`. */
export const inDollars = (micros: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${micros}::numeric / 1000000)::numeric(30, 6)::text`;
