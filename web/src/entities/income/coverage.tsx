import { formatPercent } from '../../ui/format/percent.ts';

/** How much of an income was paid: `coverage 100%`. Nothing is said where there was nothing to pay. */
export const Coverage = ({ value }: { value: number | null }) =>
  value === null ? null : <small>coverage {coverageText(value)}</small>;

/** `coverageText(1) === '100%'`, `coverageText(0.8246) === '82.46%'` */
export const coverageText = (value: number): string => (value === 1 ? '100%' : formatPercent(value * 100));
