import { Refused } from '#server/refused.ts';
import { readIdCursor } from './core/id-cursor.ts';

/** The id after which a list goes on; undefined at its beginning. Refuses `validation` for a cursor of another list. */
export function readCursor(cursor: string | undefined): bigint | undefined {
  const after = readIdCursor(cursor);
  if (after === null) throw new Refused('validation', { field: 'cursor' });
  return after;
}
