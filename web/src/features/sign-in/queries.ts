import { queryOptions, useMutation } from '@tanstack/react-query';
import type { identity } from '#contract/accounts/sign-in.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { call, callForReply } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';

export const useLogin = () =>
  useMutation({ mutationFn: (body: BodyInOf<typeof identity.login>) => call(endpoints.identity.login, { body }) });

export const useRegister = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof identity.register>) => callForReply(endpoints.identity.register, { body }),
  });

export const sponsorQuery = (referralCode: string) =>
  queryOptions({
    queryKey: ['identity', 'sponsor', referralCode],
    queryFn: ({ signal }) => call(endpoints.identity.findSponsor, { query: { referralCode }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useForgotPassword = () =>
  useMutation({ mutationFn: (loginId: string) => call(endpoints.identity.forgotPassword, { body: { loginId } }) });

export const useVerifyOtp = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof identity.verifyOtp>) => call(endpoints.identity.verifyOtp, { body }),
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof identity.resetPassword>) => call(endpoints.identity.resetPassword, { body }),
  });

/** Whose token the address carried. The server asks this browser to confirm it before anything personal goes in. */
export const useAdoptSignIn = () =>
  useMutation({ mutationFn: (token: string) => call(endpoints.identity.adoptSignIn, { token }), gcTime: 0 });
