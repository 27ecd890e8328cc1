import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { PasskeyCreation } from '#contract/accounts/passkeys.ts';
import type { User } from '#contract/accounts/sign-in.ts';
import type { BodyInOf, DataOf } from '#contract/endpoint.ts';
import { account, identity, passkeys, withdrawals } from '#contract/endpoints.ts';
import { CallError, call, callForFile } from '../../api/call.ts';
import { meQuery } from '../../api/me-query.ts';
import { queryOf } from '../../api/query-of.ts';
import { sendTo, useSend, useSignOutOf } from '../../api/send-to.ts';
import { changeMember, endConfirmation, endSession, reportUnconfirmed } from '../../api/sign-in-state.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { securityQuery } from '../../entities/member/security-query.ts';
import { toast } from '../../ui/frame/toast.ts';

export const sessionsQuery = queryOf(['identity', 'sessions'], account.listSessions);

export const openingsQuery = queryOf(['identity', 'openings'], account.listOpenings);

export const passkeysQuery = queryOf(['identity', 'passkeys'], passkeys.listPasskeys);

/** The call does not report a read without a response; here a button was pressed. */
const reportUnanswered = (error: Error) => {
  if (error instanceof CallError && error.status === 0) toast.error(error.message);
};

export const useExportData = () =>
  useMutation({
    mutationFn: () => callForFile(account.exportData),
    onError: reportUnanswered,
    gcTime: 0,
  });

export const useSendEmailCode = () =>
  useMutation({
    mutationFn: (email: string) => call(withdrawals.sendOtp, { query: { purpose: 'email', email } }),
    onError: reportUnanswered,
  });

/** For the first authenticator app or passkey. A page that did not know that there is one asks for it from then on. */
export function useSendFactorCode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(withdrawals.sendOtp, { query: { purpose: 'second_factor' } }),
    onError: (error) => {
      reportUnanswered(error);
      void client.invalidateQueries({ queryKey: securityQuery.queryKey });
    },
  });
}

/** Afterwards nobody is signed in, on any device. What the wallets hold is read again after a refusal. */
export function useCloseAccount() {
  const client = useQueryClient();
  return useSend(account.closeAccount, {
    onSuccess: () => endSession(),
    onError: () => void client.invalidateQueries({ queryKey: balancesQuery.queryKey }),
    gcTime: 0,
  });
}

/** The secret of an authenticator app. It stays in the dialog that requested it and is stored nowhere. */
export const useStartTotp = () => useSecurityChange(sendTo(account.startTotp));

/** The member as last reported by the server, for the page and for whatever shows their name. */
function showUser(client: QueryClient, user: User): Promise<void> {
  changeMember(user);
  return changeMe(client, { user });
}

type Me = DataOf<typeof identity.me>;

/** A read started before the change may return old data: it is cancelled. */
async function changeMe(client: QueryClient, change: Partial<Me>): Promise<void> {
  const { queryKey } = meQuery;
  const isRead = client.isFetching({ queryKey }) > 0;
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (me) => me && { ...me, ...change });
  if (isRead) void client.invalidateQueries({ queryKey });
}

/**
 * A security change ends other sign-ins and pauses withdrawals, and its first step alone uses a passkey or a recovery
 * code, so all of these are reloaded.
 */
function useSecurityChange<Input, Data>(
  mutationFn: (input: Input) => Promise<Data>,
  onSuccess?: (client: QueryClient, data: Data) => Promise<void>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async (data) => {
      await onSuccess?.(client, data);
      for (const queryKey of [['identity'], ['withdrawals', 'terms']]) void client.invalidateQueries({ queryKey });
    },
    gcTime: 0,
  });
}

export const useChangePassword = () => useSecurityChange(sendTo(identity.changePassword));

export const useConfirmTotp = () => useSecurityChange((otp: string) => call(account.confirmTotp, { body: { otp } }));

export const useRenewRecoveryCodes = () => useSecurityChange(sendTo(account.renewRecoveryCodes));

export const useDisableTotp = () => useSecurityChange(sendTo(account.disableTotp));

/** The creation options of a passkey. They stay in the dialog that requested them. */
export const useStartPasskey = () => useSecurityChange(sendTo(passkeys.startPasskey));

/** The browser shows its own dialog. */
export const useAddPasskey = () =>
  useSecurityChange(async ({ name, creation }: { name: string; creation: PasskeyCreation }) => {
    const passkey = await (await import('../../api/ask-passkey.ts')).createPasskey(creation);
    return call(passkeys.addPasskey, { body: { name, passkey } });
  });

export const useRemovePasskey = () =>
  useSecurityChange(({ id, body }: { id: string; body: BodyInOf<typeof passkeys.removePasskey> }) =>
    call(passkeys.removePasskey, { params: { id }, body }),
  );

export function useRenamePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(passkeys.renamePasskey, { params: { id }, body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
}

export const useChangeEmail = () => useSecurityChange(sendTo(account.changeEmail), showUser);

/** Without access to the old mailbox. */
export const useRequestEmailChange = () => useSecurityChange(sendTo(account.requestEmailChange));

export const useWithdrawEmailRequest = () => useSecurityChange<void, unknown>(() => call(account.withdrawEmailRequest));

/** Also after a failure: the session may have ended meanwhile. */
function useEnding<Input, Data>(mutationFn: (input: Input) => Promise<Data>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

export const useEndSession = () => useEnding((id: string) => call(account.endSession, { params: { id } }));

export const useEndOtherSessions = () => useEnding<void, { ended: number }>(() => call(account.endOtherSessions));

export function useUpdateProfile() {
  const client = useQueryClient();
  return useSend(account.updateProfile, {
    onSuccess: (user) => showUser(client, user),
  });
}

export function useSetLimits() {
  const client = useQueryClient();
  return useSend(identity.setLimits, {
    onSuccess: (limits) => changeMe(client, { limits }),
  });
}

/** Confirms that the account of a token from an address is the person's own. */
export function useConfirmIdentity() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirmation: string) => call(identity.confirmIdentity, { body: { confirmation } }),
    onSuccess: async ({ confirm_identity }) => {
      await changeMe(client, { confirm_identity });
      endConfirmation();
      // Another browser claimed the same token: only signing in helps.
      if (confirm_identity) reportUnconfirmed();
    },
    gcTime: 0,
  });
}

export const useSignOut = () => useSignOutOf(identity.logout);
