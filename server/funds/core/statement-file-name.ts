const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * The name of a statement's file, by the UTC days it covers. The period ends before `to`, so a whole month of March is
 * `transactions-2026-03-01-to-2026-03-31.csv`; without bounds it is `transactions-beginning-to-today.csv`.
 */
export function statementFileName(from: Date | undefined, to: Date | undefined): string {
  const first = from === undefined ? 'beginning' : dayOf(from);
  const last =
    to === undefined ? 'today' : dayOf(new Date(Math.max(to.getTime() - 1, from?.getTime() ?? to.getTime() - 1)));
  return `transactions-${first}-to-${last}.csv`;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, DAY_LENGTH);
