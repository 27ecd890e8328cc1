/**
 * The cursor of a list that runs along days is the last day shown. Undefined input is the beginning; null says that the text
 * is no cursor of such a list. `readDayCursor('2026-03-04') === '2026-03-04'`, `readDayCursor('2026-02-30') === null`
 */
export function readDayCursor(cursor: string | undefined): string | undefined | null {
  if (cursor === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\d$/.test(cursor) || cursor.startsWith('0')) return null;
  const ms = Date.parse(`${cursor}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(cursor) ? cursor : null;
}
