import { useMutation } from '@tanstack/react-query';
import type { PasskeyRequest } from '#contract/accounts/passkeys.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { identity, passkeySignIn } from '#contract/endpoints.ts';
import { call, callForReply } from '../../api/call.ts';
import { queryOf } from '../../api/query-of.ts';
import { sendTo, useSend } from '../../api/send-to.ts';
import { useOnce } from '../../api/use-once.ts';

export const useLogin = () => useSend(identity.login);

export const useRegister = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof identity.register>) => callForReply(identity.register, { body }),
  });

export const sponsorQuery = (referralCode: string) =>
  queryOf(['identity', 'sponsor', referralCode], identity.findSponsor, {
    query: { referralCode },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useForgotPassword = () => useSend(identity.forgotPassword);

/** Once, because a second call would replace the first one and be refused: its code has worked. */
export const useVerifyOtp = () => useOnce({ mutationFn: sendTo(identity.verifyOtp) });

export const useResetPassword = () => useSend(identity.resetPassword);

/**
 * The owner of a token in an address. The server requires this browser to confirm it before it accepts anything
 * personal.
 */
export const useAdoptSignIn = () =>
  useMutation({ mutationFn: (token: string) => call(identity.adoptSignIn, { token }), gcTime: 0 });

/** Loaded on use: most members sign in otherwise. */
const askPasskey = async (request: PasskeyRequest) => (await import('../../api/ask-passkey.ts')).askPasskey(request);

/** The passkey identifies the account. */
export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async (remember: boolean) => {
      const passkey = await askPasskey(await call(passkeySignIn.startPasskeySignIn));
      return call(passkeySignIn.finishPasskeySignIn, { body: { passkey, remember } });
    },
    gcTime: 0,
  });

/** Instead of the code, after the password. */
export const usePasskeySecondStep = (challenge: string) =>
  useMutation({
    mutationFn: async () => {
      const request = await call(passkeySignIn.askPasskeyAtSignIn, { body: { challenge } });
      const passkey = await askPasskey(request);
      return call(identity.verifyOtp, { body: { purpose: 'login', challenge, passkey } });
    },
    gcTime: 0,
  });
