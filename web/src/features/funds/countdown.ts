/**
 * Time left until `until`, as a clock: `46:48`, from an hour on `1:00:00`. Never below `0:00`, and a second that has
 * begun still counts, so that the clock shows 0:00 only when the time is really up.
 * `timeLeft(new Date('2026-03-04T14:00:00Z'), new Date('2026-03-04T13:13:12Z')) === '46:48'`
 */
export function timeLeft(until: Date, now: Date): string {
  const seconds = Math.max(0, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}
