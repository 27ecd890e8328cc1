import { sql } from 'kysely';

/** A page of rows, of one state or all; `after` is the id of the last row of the previous page. */
export type PageFilter = {
  readonly state: string | undefined;
  readonly after: bigint | undefined;
  readonly limit: number;
};

/** SQL that follows `where`, newest first unless `isOldestFirst`. */
export const pageById = ({ state, after, limit }: PageFilter, isOldestFirst = false) => sql`
  ${state === undefined ? sql`true` : sql`state = ${state}`}
    and ${after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`}
  order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`;
