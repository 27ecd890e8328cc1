/** The bound of a requested period, at least 1970: nothing happened before, and one engine does not support year 0. */
export const boundInstant = (instant: string): Date => new Date(Math.max(0, Date.parse(instant)));
