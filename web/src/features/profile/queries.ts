import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { account } from '#contract/accounts/profile.ts';
import type { identity, User } from '#contract/accounts/sign-in.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { CallError, call, callForFile } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { changeMember, endSession } from '../../api/sign-in-state.ts';
import { toast } from '../../ui/frame/toast.ts';

/** The signed-in member, with sponsor, limits of their own, and whether the account is frozen. */
export const meQuery = queryOptions({
  queryKey: ['identity', 'me'],
  queryFn: ({ signal }) => call(endpoints.identity.me, { signal }),
});

/** Second factor, recovery codes and mail address. */
export const securityQuery = queryOptions({
  queryKey: ['identity', 'security'],
  queryFn: ({ signal }) => call(endpoints.account.getSecurity, { signal }),
});

/** The devices that are signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['identity', 'sessions'],
  queryFn: ({ signal }) => call(endpoints.account.listSessions, { signal }),
});

/** When operators looked at the account. */
export const openingsQuery = queryOptions({
  queryKey: ['identity', 'openings'],
  queryFn: ({ signal }) => call(endpoints.account.listOpenings, { signal }),
});

/** Everything held on the member, as the server writes it. A read that got no answer is not told by the call. */
export const useExportData = () =>
  useMutation({
    mutationFn: () => callForFile(endpoints.account.exportData),
    onError: (error) => {
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    },
    gcTime: 0,
  });

/** Nobody is signed in afterwards, here as anywhere. */
export const useCloseAccount = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof account.closeAccount>) => call(endpoints.account.closeAccount, { body }),
    onSuccess: () => endSession(),
    gcTime: 0,
  });

/** A security change ends other sign-ins and makes withdrawals wait, so both are read again. */
function refreshSecurity(client: QueryClient): void {
  for (const queryKey of [['identity'], ['withdrawals', 'terms']]) void client.invalidateQueries({ queryKey });
}

/** The member as the server now has them, for the page and for what shows their name. */
function showUser(client: QueryClient, user: User): void {
  client.setQueryData(meQuery.queryKey, (me) => me && { ...me, user });
  changeMember(user);
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof identity.changePassword>) => call(endpoints.identity.changePassword, { body }),
    onSuccess: () => refreshSecurity(client),
  });
}

/** The secret of an authenticator app. It stays in the dialog that asked for it and is kept nowhere. */
export const useStartTotp = () =>
  useMutation({
    mutationFn: (password: string) => call(endpoints.account.startTotp, { body: { password } }),
    gcTime: 0,
  });

export function useConfirmTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (otp: string) => call(endpoints.account.confirmTotp, { body: { otp } }),
    onSuccess: () => refreshSecurity(client),
    gcTime: 0,
  });
}

export function useRenewRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof account.renewRecoveryCodes>) =>
      call(endpoints.account.renewRecoveryCodes, { body }),
    onSuccess: () => refreshSecurity(client),
    gcTime: 0,
  });
}

export function useDisableTotp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof account.disableTotp>) => call(endpoints.account.disableTotp, { body }),
    onSuccess: () => refreshSecurity(client),
  });
}

/** Whatever comes of it, the list may be another one. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(endpoints.account.endSession, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoints.account.endOtherSessions),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Mails a code to the address that it is to show somebody reads. */
export const useSendEmailCode = () =>
  useMutation({
    mutationFn: (email: string) => call(endpoints.withdrawals.sendOtp, { query: { purpose: 'email', email } }),
    // A read that got no answer is not told by the call; here it is a button that was pressed.
    onError: (error) => {
      if (error instanceof CallError && error.status === 0) toast.error(error.message);
    },
  });

export function useChangeEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof account.changeEmail>) => call(endpoints.account.changeEmail, { body }),
    onSuccess: (user) => {
      showUser(client, user);
      refreshSecurity(client);
    },
  });
}

export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof account.updateProfile>) => call(endpoints.account.updateProfile, { body }),
    onSuccess: (user) => showUser(client, user),
  });
}

/** Changes limits of one's own; the reply has all of them, so the page knows them without asking again. */
export function useSetLimits() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof identity.setLimits>) => call(endpoints.identity.setLimits, { body }),
    onSuccess: (limits) => client.setQueryData(meQuery.queryKey, (me) => me && { ...me, limits }),
  });
}

/**
 * Ends the session on the server and here. Whoever presses Sign out on a shared computer must be signed out of it also
 * when the server does not answer, so the token is forgotten in either case.
 */
export const useSignOut = () =>
  useMutation({ mutationFn: () => call(endpoints.identity.logout), onSettled: () => endSession() });
