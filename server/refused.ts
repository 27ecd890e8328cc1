import { type RefusalCode, type RefusalData, refusalField, refusals } from '#contract/refusals.ts';

/** Thrown by an operation, so that its transaction rolls back; http/ turns it into the reply. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly field: string | undefined;
  /** What is wrong with the field. */
  readonly reason: string;
  /** Seconds to wait, for 429 and 503. */
  readonly retryAfterSeconds: number | undefined;
  /** Additional data for programs. */
  readonly data: RefusalData | undefined;

  constructor(
    code: RefusalCode,
    detail: { field?: string; reason?: string; retryAfterSeconds?: number; data?: RefusalData } = {},
  ) {
    super(refusals[code][1]);
    this.code = code;
    this.status = refusals[code][0];
    this.field = detail.field ?? refusalField[code];
    this.reason = detail.reason ?? this.message;
    this.retryAfterSeconds = detail.retryAfterSeconds;
    this.data = detail.data;
  }
}

/** What was found, or else a refusal: `orRefuse(await findPlan(db, id), 'plan_not_found')`. */
export function orRefuse<T>(found: T | undefined, code: RefusalCode): T {
  if (found === undefined) throw new Refused(code);
  return found;
}
