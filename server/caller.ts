import type { OperatorRole } from '#contract/endpoint.ts';

export type MemberCaller = {
  readonly kind: 'member';
  readonly memberId: bigint;
  readonly authSessionId: bigint;
  /** Set during impersonation, which is read-only. */
  readonly opening?: { readonly id: bigint; readonly role: OperatorRole };
  /** The token came from a URL, and a browser that adopted it has not confirmed the identity. */
  readonly isUnconfirmed?: true;
};
export type OperatorCaller = {
  readonly kind: 'operator';
  readonly operatorId: bigint;
  readonly role: OperatorRole;
  readonly authSessionId: bigint;
  /** Without one, only the calls that set it up are permitted. */
  readonly hasSecondFactor: boolean;
};
export type Caller = MemberCaller | OperatorCaller;
