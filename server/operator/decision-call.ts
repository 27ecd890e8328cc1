import type { Decider } from './proposal-decision.ts';

/** A call by which an operator decides about one proposal. */
type DecisionCall<Body> = {
  readonly caller: { readonly operatorId: bigint };
  readonly address: string;
  readonly params: { readonly id: string };
  readonly body: Body;
};

export const deciderOf = ({ caller, address }: Pick<DecisionCall<unknown>, 'caller' | 'address'>): Decider => ({
  operatorId: caller.operatorId,
  address,
});

/** What was sent, with the id of the proposal from the address. */
export const about = <Body extends object>({ params, body }: DecisionCall<Body>) => ({
  ...body,
  id: BigInt(params.id),
});
