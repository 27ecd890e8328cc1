/**
 * A device is new for a day: as long as a changed address waits before money goes to it (docs/product.md, section 5).
 */
const NEW_MS = 24 * 3_600_000;

/**
 * Whether any device was first seen within the 24 hours before an instant; null when none was seen by then. Which of a
 * member's devices asked for a withdrawal is not stored, so that every new one counts.
 *
 * First seen on 1 and 3 March at 12:00: new at 4 March 11:00, 23 hours later, and not at 4 March 12:00.
 */
export function hasNewDevice(firstSeen: readonly Date[], at: Date): boolean | null {
  const ages = firstSeen.map((seenAt) => at.getTime() - seenAt.getTime()).filter((ageMs) => ageMs >= 0);
  return ages.length === 0 ? null : Math.min(...ages) < NEW_MS;
}
