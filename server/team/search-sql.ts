import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { getValue, listValues } from '#server/db/rows.ts';
import { above, type PageOfLevel } from './place-sql.ts';

/** The highest code point: appended to a prefix, it sorts after every word with that prefix. */
const LAST = '\u{10FFFF}';

/** SQL for a prefix match. The database removes case and accents of the prefix, as it did for the stored words. */
const begins = (word: string): RawBuilder<unknown> => sql`
  w.word >= team.plain(${word}::text) and w.word < team.plain(${word}::text) || ${LAST}`;

/**
 * SQL for whether `n` has a matching word for each prefix. `offset 0` forces one lookup per member; otherwise
 * PostgreSQL might collect all matching words first, a million for a common prefix.
 */
export const hasWords = (words: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...words.map(
        (word) =>
          sql`exists (select 1 from team.search_word w where w.member_id = n.member_id and ${begins(word)} offset 0)`,
      ),
    ],
    sql` and `,
  );

/** Number of words with a prefix, counted up to `most` + 1. */
export const countWords = (db: Db, word: string, most: number) =>
  getValue(db)<number>`
    select count(*)::int
    from (select 1 from team.search_word w where ${begins(word)} limit ${most + 1}) as found`;

/**
 * Members of the whole tree with a matching word for each prefix. Reads at most `most` matches of the first prefix,
 * which should be the longest: a common prefix does not read a million rows.
 */
export const listIdsByName = (db: Db, words: readonly string[], most: number): Promise<bigint[]> =>
  listValues(db)`
    select distinct n.member_id
    from (select w.member_id from team.search_word w where ${begins(words[0] ?? '')} order by w.word, w.member_id limit ${most}) as n
    where ${hasWords(words.slice(1))}`;

/**
 * SQL for `member_id` of those at a level who match all words, starting from matches of the first word with one member
 * lookup each (`offset 0` prevents a scan of the whole tree).
 */
export const foundByWord = (memberId: bigint, level: number, words: readonly string[]): RawBuilder<unknown> => sql`
  select n.member_id
  from (select distinct w.member_id from team.search_word w where ${begins(words[0] ?? '')}) as found
  cross join lateral (
    select n.member_id from team.node n
    where n.member_id = found.member_id and ${above(level)} = ${memberId}::bigint offset 0) as n
  where ${hasWords(words.slice(1))}`;

/** SQL that reads a page of `foundByWord`, newest first. */
export const foundPage = (
  { memberId, level, before, limit }: PageOfLevel,
  words: readonly string[],
): RawBuilder<unknown> => sql`
  select member_id from (${foundByWord(memberId, level, words)}) as found
  where ${before === undefined ? sql`true` : sql`member_id < ${before}::bigint`}
  order by member_id desc limit ${limit}`;
