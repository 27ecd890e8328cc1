import type { RawBuilder } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { searchWords } from './core/search-words.ts';
import { countTeams } from './count-teams.ts';
import { levelMembers, levelPage, listMemberIds, membersWith, type PageOfLevel } from './place-sql.ts';
import { countWords, foundByWord, foundPage, hasWords } from './search-sql.ts';

export type LevelList = {
  readonly memberId: bigint;
  readonly level: number;
  /** Beginnings of words of the name or of the Registered Id; all must be there. */
  readonly search?: string | undefined;
};
export type LevelPage = LevelList & Pick<PageOfLevel, 'before' | 'limit'>;

/** A level of so many members is looked through faster than a list of words. */
const SMALL_LEVEL = 2_000;
/**
 * So many words are followed to their members. Beyond, looking through the level soon fills a page: with a million members and
 * this many words it finds one of 250, which takes as long as following them.
 */
const FEW_WORDS = 4_000;

/** Ids of the members at a level below a member, newest first. Any page takes the same time. */
export async function listLevel(db: Db, page: LevelPage): Promise<bigint[]> {
  const words = searchWords(page.search ?? '');
  if (words.length === 0) return listMemberIds(db, levelPage(page));
  const byLevel = (await countLevel(db, page)) <= SMALL_LEVEL || !(await areFew(db, words));
  return byLevel ? listByLevel(db, page, words) : listByWord(db, page, words);
}

/** Looks through the level, newest first, for those who have the words. */
export const listByLevel = (db: Db, page: PageOfLevel, words: readonly string[]): Promise<bigint[]> =>
  listMemberIds(db, levelPage(page, hasWords(words)));

/** Goes through those who have the words, for those of the level. */
export const listByWord = (db: Db, page: PageOfLevel, words: readonly string[]): Promise<bigint[]> =>
  listMemberIds(db, foundPage(page, words));

/** SQL for `member_id` of all of a list, to be put into another order; undefined when it may be longer than `most`. */
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
