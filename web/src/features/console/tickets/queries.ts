import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf, DataOf } from '#contract/endpoint.ts';
import type { DeskMessage, DeskTicket, supportDesk } from '#contract/tickets/tickets.ts';
import { call, callForFile } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import { overviewQuery } from '../shell/queries.ts';
import type { TicketFilter } from './tickets-page.tsx';

const ONE_POLL_MS = 5_000;
/** Colleagues and canned replies change rarely. */
const RARE_MS = 60_000;

const desk = endpoints.supportDesk;

export type DeskThread = DataOf<typeof supportDesk.getDeskTicket>;

export const readTickets = (filter: TicketFilter) => (query: PageQuery, signal: AbortSignal) =>
  call(desk.listDeskTickets, { query: { ...query, ...filter }, signal });

/** The one that is open. Reading it marks what the member wrote as seen, so it is asked for while it is looked at. */
export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'tickets', 'one', id],
    queryFn: ({ signal }) => call(desk.getDeskTicket, { params: { id }, signal }),
    refetchInterval: pollEvery(ONE_POLL_MS),
  });

export const readersQuery = queryOptions({
  queryKey: ['operator', 'ticket-readers'],
  queryFn: ({ signal }) => call(desk.listTicketReaders, { signal }),
  staleTime: RARE_MS,
});

export const cannedRepliesQuery = queryOptions({
  queryKey: ['operator', 'canned-replies'],
  queryFn: ({ signal }) => call(desk.listCannedReplies, { signal }),
  staleTime: RARE_MS,
});

export const downloadAttachment = (id: string): Promise<Blob> =>
  callForFile(desk.getDeskAttachment, { params: { id } });

/** Whatever comes of it, the lists and the menu's count may have moved on. */
function useRefreshDesk() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['operator', 'tickets'] });
    void client.invalidateQueries({ queryKey: overviewQuery.queryKey });
  };
}

function useShowTicket() {
  const client = useQueryClient();
  return (ticket: DeskTicket) =>
    client.setQueryData(threadQuery(ticket.id).queryKey, (thread) => thread && { ...thread, ticket });
}

/** To a colleague, or to nobody. It names the version that the operator saw. */
export function useAssign({ id, version }: DeskTicket) {
  const refresh = useRefreshDesk();
  const show = useShowTicket();
  return useMutation({
    mutationFn: (operatorId: string | null) =>
      call(desk.assignTicket, { params: { id }, body: { version, operator_id: operatorId } }),
    onSuccess: show,
    onSettled: refresh,
  });
}

export function useCloseTicket({ id, version }: DeskTicket) {
  const refresh = useRefreshDesk();
  const show = useShowTicket();
  return useMutation({
    mutationFn: () => call(desk.closeFromDesk, { params: { id }, body: { version } }),
    onSuccess: show,
    onSettled: refresh,
  });
}

/** The message stands in the thread as soon as it was taken. The client finds the key, so pressing twice writes once. */
export function useAnswer(id: string) {
  const client = useQueryClient();
  const refresh = useRefreshDesk();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof supportDesk.replyFromDesk>) =>
      call(desk.replyFromDesk, { params: { id }, body }),
    onSuccess: (message) => {
      client.setQueryData(threadQuery(id).queryKey, (thread) => thread && withMessage(thread, message));
      refresh();
    },
  });
}

/** A note leaves the state as it is. */
const withMessage = ({ ticket, messages }: DeskThread, message: DeskMessage): DeskThread => ({
  ticket: message.private ? ticket : { ...ticket, state: 'answered', waiting_since: null },
  messages: [...messages.filter(({ id }) => id !== message.id), message],
});

export function useSaveCannedReply() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInOf<typeof supportDesk.saveCannedReply>) => call(desk.saveCannedReply, { body }),
    onSettled: () => client.invalidateQueries({ queryKey: cannedRepliesQuery.queryKey }),
  });
}

export function useDeleteCannedReply() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(desk.deleteCannedReply, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: cannedRepliesQuery.queryKey }),
  });
}
