import type { ReasonCode } from '#contract/trading/strategy.ts';

/** What a strategy says because of the time alone tells nobody anything, and would bury what it said before. */
const byTheClock: ReadonlySet<ReasonCode> = new Set(['after_opening', 'too_late', 'holds_to_close']);

export const isWorthKeeping = (reason: ReasonCode): boolean => !byTheClock.has(reason);
