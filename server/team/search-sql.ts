import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { above, type PageOfLevel } from './place-sql.ts';

/** The last code point there is: every word that begins alike is before it. */
const LAST = '\u{10FFFF}';

/** SQL for whether a word begins like this. Letters are made small by the database, which did so when it wrote the words. */
const begins = (word: string): RawBuilder<unknown> => sql`
  w.word >= lower(${word}::text) and w.word < lower(${word}::text) || ${LAST}`;

/**
 * SQL for whether `n` has a word beginning like each of these. With `offset 0` every member is looked up; otherwise all words
 * beginning so might be collected first, which are a million for a common one.
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

/** How many words begin like this; counted up to `most` and one more. */
export async function countWords(db: Db, word: string, most: number): Promise<number> {
  const rows = await listRows(db)<{ words: bigint }>`
    select count(*) as words
    from (select 1 from team.search_word w where ${begins(word)} limit ${most + 1}) as found`;
  return Number(rows[0]?.words ?? 0);
}

/**
 * Members of the whole tree with a word that begins like each of these. Of the first of them, which is best the longest, so
 * many are looked at: a word that a million begin with does not read a million.
 */
export const listIdsByName = (db: Db, words: readonly string[], most: number): Promise<bigint[]> =>
  listValues(db)`
    select distinct n.member_id
    from (select w.member_id from team.search_word w where ${begins(words[0] ?? '')} order by w.word, w.member_id limit ${most}) as n
    where ${hasWords(words.slice(1))}`;

/**
 * SQL for `member_id` of those at a level who are found by the first word and have the others: goes from the words to the
 * members, one look-up each (`offset 0`: no reading of the whole tree instead).
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
