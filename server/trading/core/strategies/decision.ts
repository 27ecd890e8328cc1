import type { ReasonCode, ReasonFacts } from '#contract/trading/strategy.ts';

/** What a strategy says at a boundary, and why: `wait` means not to enter, or to hold on to what is open. */
export type Decision = {
  readonly action: 'enter' | 'exit' | 'wait';
  readonly reason: ReasonCode;
  readonly facts: ReasonFacts;
};

/** A boundary of 15 minutes inside a session, in milliseconds since 1970. */
export type DecisionMoment = { readonly atMs: number; readonly opensAtMs: number; readonly closesAtMs: number };
