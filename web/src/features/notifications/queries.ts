import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { notify } from '#contract/endpoints.ts';
import type { MailPreferences } from '#contract/notify.ts';
import { call } from '../../api/call.ts';
import { pollUnlessLive, queryOf } from '../../api/query-of.ts';

const UNREAD_POLL_MS = 30_000;

export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ pageParam, signal }) => call(notify.listNotifications, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor ?? undefined,
});

const unreadQuery = queryOptions({
  queryKey: ['notifications', 'unread'],
  queryFn: async ({ signal }) => {
    const page = await call(notify.listNotifications, { query: { limit: '1' }, signal });
    return page.unread;
  },
  refetchInterval: pollUnlessLive(UNREAD_POLL_MS),
});

/** The number of unread notifications, for the bell; undefined while loading. */
export const useUnreadCount = (): number | undefined => useQuery(unreadQuery).data;

/** Marks everything up to and including the given notification, so that one arriving meanwhile stays unread. */
export function useMarkRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (upTo: string) => call(notify.markNotificationsRead, { body: { up_to: upTo } }),
    onSuccess: ({ unread }) => {
      client.setQueryData(unreadQuery.queryKey, unread);
      return client.invalidateQueries({ queryKey: ['notifications'] });
    },
  });
}

export const mailPreferencesQuery = queryOf(['notifications', 'mail-preferences'], notify.getMailPreferences);

const setPreferencesKey = [...mailPreferencesQuery.queryKey, 'set'];

/** Omitted fields stay unchanged. One change is sent after the other, so that the last reply has all of them. */
export function useSetMailPreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: setPreferencesKey,
    scope: { id: 'mail-preferences' },
    mutationFn: (changes: Partial<MailPreferences>) => call(notify.setMailPreferences, { body: changes }),
    onSuccess: (preferences) => {
      client.setQueryData(mailPreferencesQuery.queryKey, preferences);
      // A read under way may bring what they were before.
      void client.invalidateQueries({ queryKey: mailPreferencesQuery.queryKey });
    },
  });
}

/** With the changes that the server has not confirmed yet. */
export function useMailPreferences() {
  const query = useQuery(mailPreferencesQuery);
  const unconfirmed = useMutationState({
    filters: { mutationKey: setPreferencesKey, status: 'pending' },
    select: ({ state }) => state.variables as Partial<MailPreferences>,
  });
  const now: MailPreferences | undefined = query.data && Object.assign({}, query.data, ...unconfirmed);
  return { query, now };
}
