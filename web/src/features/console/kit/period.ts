const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/**
 * The period that an address names. Days are whole UTC days, the last one included:
 * `?from=2026-03-04&to=2026-03-04` is from 4 March 00:00 to before 5 March 00:00. What is no day is left out.
 */
export function periodOf(params: URLSearchParams): { from?: string; to?: string } {
  const [from, to] = [dayOf(params.get('from')), dayOf(params.get('to'))];
  return {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to + DAY_MS).toISOString() }),
  };
}

function dayOf(text: string | null): number | undefined {
  if (text === null || !DAY.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
