import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { passkeys } from '#contract/accounts/passkey-calls.ts';
import type { PasskeyCreation } from '#contract/accounts/passkeys.ts';
import type { account } from '#contract/accounts/profile.ts';
import type { identity, User } from '#contract/accounts/sign-in.ts';
import type { BodyInOf } from '#contract/endpoint.ts';
import { CallError, call, callForFile } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { changeMember, endConfirmation, endSession, noteUnconfirmed } from '../../api/sign-in-state.ts';
import { toast } from '../../ui/frame/toast.ts';

export const meQuery = queryOptions({
  queryKey: ['identity', 'me'],
  queryFn: ({ signal }) => call(endpoints.identity.me, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['identity', 'sessions'],
  queryFn: ({ signal }) => call(endpoints.account.listSessions, { signal }),
});

export const openingsQuery = queryOptions({
  queryKey: ['identity', 'openings'],
  queryFn: ({ signal }) => call(endpoints.account.listOpenings, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['identity', 'passkeys'],
  queryFn: ({ signal }) => call(endpoints.passkeys.listPasskeys, { signal }),
});

/** A read that got no answer is not reported by the call; here a button was pressed. */
const reportUnanswered = (error: Error) => {
  if (error instanceof CallError && error.status === 0) toast.error(error.message);
};

export const useExportData = () =>
  useMutation({
    mutationFn: () => callForFile(endpoints.account.exportData),
    onError: reportUnanswered,
    gcTime: 0,
  });

export const useSendEmailCode = () =>
  useMutation({
    mutationFn: (email: string) => call(endpoints.withdrawals.sendOtp, { query: { purpose: 'email', email } }),
    onError: reportUnanswered,
  });

/** Nobody is signed in afterwards, here as anywhere. */
export const useCloseAccount = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof account.closeAccount>) => call(endpoints.account.closeAccount, { body }),
    onSuccess: () => endSession(),
    gcTime: 0,
  });

/** The secret of an authenticator app. It stays in the dialog that asked for it and is stored nowhere. */
export const useStartTotp = () =>
  useMutation({
    mutationFn: (password: string) => call(endpoints.account.startTotp, { body: { password } }),
    gcTime: 0,
  });

/** The member as the server now has them, for the page and for what shows their name. */
function showUser(client: QueryClient, user: User): void {
  client.setQueryData(meQuery.queryKey, (me) => me && { ...me, user });
  changeMember(user);
}

/** A security change ends other sign-ins and pauses withdrawals, so both are read again. */
function useSecurityChange<Input, Data>(
  mutationFn: (input: Input) => Promise<Data>,
  onSuccess?: (client: QueryClient, data: Data) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (data) => {
      onSuccess?.(client, data);
      for (const queryKey of [['identity'], ['withdrawals', 'terms']]) void client.invalidateQueries({ queryKey });
    },
    gcTime: 0,
  });
}

export const useChangePassword = () =>
  useSecurityChange((body: BodyInOf<typeof identity.changePassword>) =>
    call(endpoints.identity.changePassword, { body }),
  );

export const useConfirmTotp = () =>
  useSecurityChange((otp: string) => call(endpoints.account.confirmTotp, { body: { otp } }));

export const useRenewRecoveryCodes = () =>
  useSecurityChange((body: BodyInOf<typeof account.renewRecoveryCodes>) =>
    call(endpoints.account.renewRecoveryCodes, { body }),
  );

export const useDisableTotp = () =>
  useSecurityChange((body: BodyInOf<typeof account.disableTotp>) => call(endpoints.account.disableTotp, { body }));

/** What the browser makes a passkey with. It stays in the dialog that asked for it. */
export const useStartPasskey = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof passkeys.startPasskey>) => call(endpoints.passkeys.startPasskey, { body }),
    gcTime: 0,
  });

/** The browser asks in its own dialog. */
export const useAddPasskey = () =>
  useSecurityChange(async ({ name, creation }: { name: string; creation: PasskeyCreation }) => {
    const passkey = await (await import('../../api/ask-passkey.ts')).createPasskey(creation);
    return call(endpoints.passkeys.addPasskey, { body: { name, passkey } });
  });

export const useRemovePasskey = () =>
  useSecurityChange(({ id, body }: { id: string; body: BodyInOf<typeof passkeys.removePasskey> }) =>
    call(endpoints.passkeys.removePasskey, { params: { id }, body }),
  );

export function useRenamePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(endpoints.passkeys.renamePasskey, { params: { id }, body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
}

export const useChangeEmail = () =>
  useSecurityChange(
    (body: BodyInOf<typeof account.changeEmail>) => call(endpoints.account.changeEmail, { body }),
    showUser,
  );

/** Without the old mailbox. */
export const useRequestEmailChange = () =>
  useSecurityChange((body: BodyInOf<typeof account.requestEmailChange>) =>
    call(endpoints.account.requestEmailChange, { body }),
  );

export const useWithdrawEmailRequest = () =>
  useSecurityChange<void, unknown>(() => call(endpoints.account.withdrawEmailRequest));

/** Also after a failure: the session may have ended meanwhile. */
function useEnding<Input, Data>(mutationFn: (input: Input) => Promise<Data>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export const useEndSession = () => useEnding((id: string) => call(endpoints.account.endSession, { params: { id } }));

export const useEndOtherSessions = () =>
  useEnding<void, { ended: number }>(() => call(endpoints.account.endOtherSessions));

export function useUpdateProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof account.updateProfile>) => call(endpoints.account.updateProfile, { body }),
    onSuccess: (user) => showUser(client, user),
  });
}

export function useSetLimits() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof identity.setLimits>) => call(endpoints.identity.setLimits, { body }),
    onSuccess: (limits) => client.setQueryData(meQuery.queryKey, (me) => me && { ...me, limits }),
  });
}

/** The account of a token from an address is one's own. */
export function useConfirmIdentity() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirmation: string) => call(endpoints.identity.confirmIdentity, { body: { confirmation } }),
    onSuccess: ({ confirm_identity }) => {
      client.setQueryData(meQuery.queryKey, (me) => me && { ...me, confirm_identity });
      endConfirmation();
      // Another browser took the same token: only a sign-in of one's own helps.
      if (confirm_identity) noteUnconfirmed();
    },
    gcTime: 0,
  });
}

/**
 * Ends the session on the server and here. Whoever presses Sign out on a shared computer must be signed out of it also
 * when the server does not answer, so the token is forgotten in either case.
 */
/** What is still being read is given up first: the server would refuse it once the sign-in has ended. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    onMutate: () => client.cancelQueries(),
    mutationFn: () => call(endpoints.identity.logout),
    onSettled: () => endSession(),
  });
}
