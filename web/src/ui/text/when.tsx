import { formatDate, formatTime } from '../format/time.ts';

/** `4 Mar 2026, 14:05` in a column whose head says UTC: never broken, its digits below each other. */
export const When = ({ at }: { at: string }) => (
  <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
    {formatDate(at)}, {formatTime(at)}
  </span>
);
