import type { OperatorRole } from '#contract/endpoint.ts';

export type MemberCaller = {
  readonly kind: 'member';
  readonly memberId: bigint;
  readonly authSessionId: bigint;
  /** Of a sign-in that an operator opened to look; nobody but the member themselves writes anything. */
  readonly opening?: { readonly id: bigint; readonly role: OperatorRole };
  /** The token came with an address, and a browser that took it has not said that the account is its own. */
  readonly isUnconfirmed?: true;
};
export type OperatorCaller = {
  readonly kind: 'operator';
  readonly operatorId: bigint;
  readonly role: OperatorRole;
  readonly authSessionId: bigint;
  /** Without one, only the calls that set it up answer. */
  readonly hasSecondFactor: boolean;
};
export type Caller = MemberCaller | OperatorCaller;
