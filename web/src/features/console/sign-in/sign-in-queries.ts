import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { operator, operatorAccounts } from '#contract/endpoints.ts';
import { call } from '../../../api/call.ts';
import { signInOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { useSend } from '../../../api/send-to.ts';

type SignedIn = DataOf<typeof operator.verifyOperatorOtp>;

const keep = ({ access_token, operator: account, second_factor }: SignedIn): void =>
  signInOperator(access_token, { ...account, second_factor });

/** With two-factor authentication it returns a challenge instead of signing in. */
export const useOperatorLogin = () =>
  useSend(operator.operatorLogin, {
    onSuccess: (data) => {
      if ('access_token' in data) keep(data);
    },
    gcTime: 0,
  });

export const useOperatorCode = () =>
  useSend(operator.verifyOperatorOtp, {
    onSuccess: keep,
    gcTime: 0,
  });

/** The second step of a sign-in, by a passkey of this device or of one nearby. */
export const usePasskeyCode = () =>
  useMutation({
    mutationFn: async (challenge: string) => {
      const request = await call(operator.startOperatorPasskeySignIn, { body: { challenge } });
      const { askPasskey } = await import('../../../api/ask-passkey.ts');
      return call(operator.verifyOperatorOtp, { body: { challenge, otp: await askPasskey(request) } });
    },
    onSuccess: keep,
    gcTime: 0,
  });

/** The secret of an authenticator app is kept only in the page. */
export const useStartOperatorTotp = () =>
  useMutation({
    mutationFn: (password: string) => call(operator.startOperatorTotp, { body: { password } }),
    gcTime: 0,
  });

export function useConfirmOperatorTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (otp: string) => call(operator.confirmOperatorTotp, { body: { otp } }),
    onSuccess: () => client.removeQueries({ queryKey: ['operator'] }),
    gcTime: 0,
  });
}

export const invitationQuery = (token: string) =>
  queryOf(['invitation', token], operatorAccounts.showInvitation, {
    body: { token },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const useAcceptInvitation = () =>
  useSend(operatorAccounts.acceptInvitation, {
    onSuccess: keep,
    gcTime: 0,
  });
