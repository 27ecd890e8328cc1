import { teamLevels } from '#contract/team.ts';
import { isMarketDay } from './periods.ts';

/** One of a member's lines of bonuses: a session and a level. */
export type LinePlace = { readonly day: string; readonly level: number };

/** The id of a line: its session's day and two digits of level. `lineId({ day: '2026-03-04', level: 3 }) === '2026030403'` */
export const lineId = ({ day, level }: LinePlace): string =>
  `${day.replaceAll('-', '')}${String(level).padStart(2, '0')}`;

/** The other way round; undefined for what is no line's id, as `'2026023003'` (no such day) or `'2026030411'` (no such level). */
export function readLineId(id: string): LinePlace | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(id);
  if (parts === null) return undefined;
  const place = { day: parts.slice(1, 4).join('-'), level: Number(parts[4]) };
  const exists = isMarketDay(place.day) && place.level >= 1 && place.level <= teamLevels;
  return exists ? place : undefined;
}
