import { formatPercent } from '../../../ui/format/number.ts';

/** A price further from the mark than this takes a word more, as the server says. */
const FAR = 0.2;

/** How far a net price is from the mark, as a part of it; undefined without a mark. */
const distanceOf = (price: number, mark: string | null): number | undefined =>
  mark === null ? undefined : price / Number(mark) - 1;

export const isFarFromMark = (price: number, mark: string | null): boolean =>
  Math.abs(distanceOf(price, mark) ?? 0) > FAR;

/** `1.20% below the mark.` */
export function markWords(price: string, mark: string | null): string {
  const distance = distanceOf(Number(price), mark);
  if (distance === undefined) return 'There is no mark to compare with.';
  return `${formatPercent(Math.abs(distance) * 100)} ${distance < 0 ? 'below' : 'above'} the mark.`;
}
