import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { announcementDesk } from '#contract/operator/announcements.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { Verdict } from '../kit/use-decisions.tsx';

const rows = endpoints.announcementDesk;

export const readAnnouncements = (query: PageQuery, signal: AbortSignal) =>
  call(rows.listDeskAnnouncements, { query, signal });

function useRefresh() {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['operator', 'announcements'] });
}

export const useWriteAnnouncement = () =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof announcementDesk.writeAnnouncement>) => call(rows.writeAnnouncement, { body }),
    onSettled: useRefresh(),
  });

export const useEndAnnouncement = (id: string) =>
  useMutation({
    mutationFn: (_: Verdict<'end'>) => call(rows.endAnnouncement, { params: { id } }),
    onSettled: useRefresh(),
  });
