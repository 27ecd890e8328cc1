import type { operator } from '#contract/accounts/operator-sign-in.ts';
import type { DataOf } from '#contract/endpoint.ts';
import type { SignedInOperator } from '../../sign-in/begin-session.ts';

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
