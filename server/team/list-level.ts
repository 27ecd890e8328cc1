import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { getValue, listValues } from '#server/db/rows.ts';
import { searchWords } from './core/search-words.ts';
import { countTeams } from './count-teams.ts';
import { above, levelMembers, levelPage, listMemberIds, membersWith, type PageOfLevel } from './place-sql.ts';

export type LevelList = {
  readonly memberId: bigint;
  readonly level: number;
  /** Prefixes of words of the name or of the Registered Id; all must match. */
  readonly search?: string | undefined;
};
export type LevelPage = LevelList & Pick<PageOfLevel, 'before' | 'limit'>;

/** Up to this size, scanning the level is faster than following words to their members. */
const SMALL_LEVEL = 2_000;
/**
 * Up to this many matching words are followed to their members. Above it, scanning the level soon fills a page: with a
 * million members and this many matches, one of 250 members matches, and both ways take equally long.
 */
const FEW_WORDS = 4_000;

/** Ids of the members at a level below a member, newest first. Every page takes the same time. */
export async function listLevel(db: Db, page: LevelPage): Promise<bigint[]> {
  const words = searchWords(page.search ?? '');
  if (words.length === 0) return listMemberIds(db, levelPage(page));
  const byLevel = (await countLevel(db, page)) <= SMALL_LEVEL || !(await areFew(db, words));
  return byLevel ? listByLevel(db, page, words) : listByWord(db, page, words);
}

/** Scans the level, newest first, and filters by words. */
export const listByLevel = (db: Db, page: PageOfLevel, words: readonly string[]): Promise<bigint[]> =>
  listMemberIds(db, levelPage(page, hasWords(words)));

/** Scans the members who match the words, and filters by level. */
export const listByWord = (db: Db, page: PageOfLevel, words: readonly string[]): Promise<bigint[]> =>
  listMemberIds(db, foundPage(page, words));

/**
 * SQL for `member_id` of a whole list, for sorting by another key; undefined when it may have more than `most` rows.
 */
export async function findShortList(db: Db, list: LevelList, most: number): Promise<RawBuilder<unknown> | undefined> {
  const { memberId, level } = list;
  const words = searchWords(list.search ?? '');
  if ((await countLevel(db, list)) <= most)
    return words.length === 0 ? levelMembers(memberId, level) : membersWith(memberId, level, hasWords(words));
  const isFound = words.length > 0 && (await areFew(db, words, Math.min(most, FEW_WORDS)));
  return isFound ? foundByWord(memberId, level, words) : undefined;
}

async function countLevel(db: Db, { memberId, level }: LevelList): Promise<number> {
  const counts = await countTeams(db, [memberId]);
  return Number(counts.get(memberId)?.byLevel[level - 1]);
}

const areFew = async (db: Db, words: readonly string[], most = FEW_WORDS): Promise<boolean> =>
  (await countWords(db, words[0] ?? '', most)) <= most;

/** The highest code point: appended to a prefix, it sorts after every word with that prefix. */
const LAST = '\u{10FFFF}';

/** SQL for a prefix match. The database removes case and accents of the prefix, as it did for the stored words. */
const begins = (word: string): RawBuilder<unknown> => sql`
  w.word >= team.plain(${word}::text) and w.word < team.plain(${word}::text) || ${LAST}`;

/**
 * SQL for whether `n` has a matching word for each prefix. `offset 0` forces one lookup per member; otherwise
 * PostgreSQL might collect all matching words first, a million for a common prefix.
 */
const hasWords = (words: readonly string[]): RawBuilder<unknown> =>
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
const foundByWord = (memberId: bigint, level: number, words: readonly string[]): RawBuilder<unknown> => sql`
  select n.member_id
  from (select distinct w.member_id from team.search_word w where ${begins(words[0] ?? '')}) as found
  cross join lateral (
    select n.member_id from team.node n
    where n.member_id = found.member_id and ${above(level)} = ${memberId}::bigint offset 0) as n
  where ${hasWords(words.slice(1))}`;

/** SQL that reads a page of `foundByWord`, newest first. */
const foundPage = (
  { memberId, level, before, limit }: PageOfLevel,
  words: readonly string[],
): RawBuilder<unknown> => sql`
  select member_id from (${foundByWord(memberId, level, words)}) as found
  where ${before === undefined ? sql`true` : sql`member_id < ${before}::bigint`}
  order by member_id desc limit ${limit}`;
