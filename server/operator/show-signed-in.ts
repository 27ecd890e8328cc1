import type { operator } from '#contract/accounts/operator-sign-in.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { SignedInOperator } from '#server/accounts/index.ts';

/** What every way of an operator's sign-in ends with. */
export const showSignedIn = ({
  accessToken,
  operator: account,
  secondFactor,
}: SignedInOperator): DataOf<typeof operator.verifyOperatorOtp> => ({
  access_token: accessToken,
  operator: { ...account, id: account.id.toString() },
  second_factor: secondFactor,
});
