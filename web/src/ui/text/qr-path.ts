/**
 * The dark modules of a QR code as one path of an SVG whose unit is a module: a piece for each run in a row.
 * `qrPath([[true, true, false], [false, false, true]]) === 'M0 0h2v1h-2zM2 1h1v1h-1z'`
 */
export const qrPath = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => darkRuns(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`)).join('');

function darkRuns(row: readonly boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last.start + last.length === x) last.length += 1;
    else runs.push({ start: x, length: 1 });
  }
  return runs;
}
