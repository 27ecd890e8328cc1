import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { operator } from '#contract/accounts/operator-sign-in.ts';
import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { BodyInOf, DataOf } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { signInOperator } from '../../../api/operator-state.ts';

type SignedIn = DataOf<typeof operator.verifyOperatorOtp>;

const keep = ({ access_token, operator: account, second_factor }: SignedIn): void =>
  signInOperator(access_token, { ...account, second_factor });

/** With two-factor authentication it gives a challenge instead of signing in. */
export const useOperatorLogin = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof operator.operatorLogin>) => call(endpoints.operator.operatorLogin, { body }),
    onSuccess: (data) => {
      if ('access_token' in data) keep(data);
    },
    gcTime: 0,
  });

export const useOperatorCode = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof operator.verifyOperatorOtp>) =>
      call(endpoints.operator.verifyOperatorOtp, { body }),
    onSuccess: keep,
    gcTime: 0,
  });

/** The second half of a sign-in by a passkey of this device, or of one close by. */
export const usePasskeyCode = () =>
  useMutation({
    mutationFn: async (challenge: string) => {
      const request = await call(endpoints.operator.startOperatorPasskeySignIn, { body: { challenge } });
      const { askPasskey } = await import('../../../api/ask-passkey.ts');
      return call(endpoints.operator.verifyOperatorOtp, { body: { challenge, otp: await askPasskey(request) } });
    },
    onSuccess: keep,
    gcTime: 0,
  });

/** The secret of an authenticator app is kept in the page alone. */
export const useStartOperatorTotp = () =>
  useMutation({
    mutationFn: (password: string) => call(endpoints.operator.startOperatorTotp, { body: { password } }),
    gcTime: 0,
  });

export function useConfirmOperatorTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (otp: string) => call(endpoints.operator.confirmOperatorTotp, { body: { otp } }),
    onSuccess: () => client.removeQueries({ queryKey: ['operator'] }),
    gcTime: 0,
  });
}

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(endpoints.operatorAccounts.showInvitation, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const useAcceptInvitation = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof operatorAccounts.acceptInvitation>) =>
      call(endpoints.operatorAccounts.acceptInvitation, { body }),
    onSuccess: keep,
    gcTime: 0,
  });
