import { teamLevels } from '#contract/team.ts';
import { isMarketDay } from './periods.ts';

/** Identifies a member's bonus line: a session and a level. */
export type LineKey = { readonly day: string; readonly level: number };

/** Line id: the session's day and two digits of level. `lineId({ day: '2026-03-04', level: 3 }) === '2026030403'` */
export const lineId = ({ day, level }: LineKey): string =>
  `${day.replaceAll('-', '')}${String(level).padStart(2, '0')}`;

/** Parses a line id; undefined when invalid: `'2026023003'` (no such day) or `'2026030411'` (no such level). */
export function readLineId(id: string): LineKey | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)$/.exec(id);
  if (parts === null) return undefined;
  const key = { day: parts.slice(1, 4).join('-'), level: Number(parts[4]) };
  const isValid = isMarketDay(key.day) && key.level >= 1 && key.level <= teamLevels;
  return isValid ? key : undefined;
}
