/** An end of a period that somebody asks for: nothing happened before 1970, and one of the engines knows no year 0. */
export const boundInstant = (instant: string): Date => new Date(Math.max(0, Date.parse(instant)));
