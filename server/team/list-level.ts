import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { searchWords } from './core/search-words.ts';
import { countTeams } from './count-teams.ts';
import { levelMembers, levelPage, listMemberIds, membersWith, type PageOfLevel } from './place-sql.ts';
import { countWords, foundByWord, foundPage, hasWords } from './search-sql.ts';

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
