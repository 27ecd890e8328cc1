import { useMutation, useQueryClient } from '@tanstack/react-query';
import { announcements } from '#contract/endpoints.ts';
import { call } from '../../api/call.ts';
import { queryOf } from '../../api/query-of.ts';

const POLL_MS = 300_000;

/** The current announcements, and which of them this member dismissed. */
export const announcementsQuery = queryOf(['announcements'], announcements.listAnnouncements, {
  pollMs: POLL_MS,
});

/** Dismisses one at once, here and on every other device of the member. */
export function useDismiss() {
  const client = useQueryClient();
  const { queryKey } = announcementsQuery;
  return useMutation({
    mutationFn: (id: string) => call(announcements.dismissAnnouncement, { params: { id } }),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(
        queryKey,
        (before) =>
          before && { items: before.items.map((item) => (item.id === id ? { ...item, dismissed: true } : item)) },
      );
    },
    // It may have ended meanwhile, or the request may have failed.
    onError: () => client.invalidateQueries({ queryKey }),
  });
}
