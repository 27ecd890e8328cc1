const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day of an address, if it is one: anything else is no filter. `readDay('2026-02-30')` is none. */
export function readDay(given: string | null): string | undefined {
  if (given === null || !DAY.test(given)) return undefined;
  const at = Date.parse(`${given}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== given ? undefined : given;
}

/** Why a period of days, both included, cannot be asked for. */
export const periodMistake = (from: string | undefined, to: string | undefined): string | undefined =>
  from !== undefined && to !== undefined && to < from ? 'The period ends before it begins.' : undefined;
