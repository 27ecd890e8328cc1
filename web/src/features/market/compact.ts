const format = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Large volumes in a few letters; unknown is a dash. `compact(18_420_000_000) === '18.42B'` */
export const compact = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : format.format(value);
