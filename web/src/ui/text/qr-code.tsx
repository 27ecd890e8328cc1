import { useMemo } from 'react';
import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** The quiet zone around the code in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A text as a QR code. Its side is 160 px, or `--qr-size`. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, { ecc: 'M', border: QUIET_ZONE }), [text]);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={qrPath(data)} />
    </svg>
  );
}

/**
 * The dark modules of a QR code as one SVG path in units of a module, with one segment per run in a row.
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
