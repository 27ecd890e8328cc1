import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { announcementDesk } from '#contract/operator/announcements.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { DecisionWords, Verdict } from '../kit/use-decisions.tsx';

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

export const endWords: DecisionWords = {
  button: 'End it now',
  title: 'End this announcement',
  text: 'No member is shown it any more. It cannot be brought back, only written again.',
  confirm: 'End it now',
  busy: 'Ending',
  danger: true,
  done: 'Ended',
};

/**
 * What a field of date and time holds, read as UTC: `2026-03-04T14:05` is `2026-03-04T14:05:00.000Z`; undefined for what is
 * no instant.
 */
export function readUtc(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(text)) return undefined;
  const at = new Date(`${text}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
