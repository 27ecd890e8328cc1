/** A stretch of market time in which operators halt trading; `endsAt` is null while nobody lifted it. */
export type HaltedStretch = { readonly startsAt: Date; readonly endsAt: Date | null };

/**
 * Whether ticks and decisions of an instant open nothing. What was in the market when trading was halted had happened by
 * then; what was in it when the halt was lifted came while it stood.
 *
 * Halted at 13:00:10 and lifted at 13:20:00: ticks of 13:00:10 still open, those of 13:00:15 and of 13:20:00 do not, those of
 * 13:20:05 do.
 */
export const isHaltedAt = (halts: readonly HaltedStretch[], at: Date): boolean =>
  halts.some(({ startsAt, endsAt }) => at > startsAt && (endsAt === null || at <= endsAt));
