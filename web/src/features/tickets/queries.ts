import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf, DataOf } from '#contract/endpoint.ts';
import { support } from '#contract/endpoints.ts';
import type { TicketState } from '#contract/tickets/ticket-rules.ts';
import type { Ticket } from '#contract/tickets/tickets.ts';
import { call, callForFile } from '../../api/call.ts';
import { pollUnlessLive, queryOf } from '../../api/query-of.ts';
import { useSend } from '../../api/send-to.ts';

const THREAD_POLL_MS = 5_000;
const LIST_POLL_MS = 15_000;
const UNREAD_POLL_MS = 30_000;

export const ticketsQuery = (filter: { state?: TicketState | undefined; cursor?: string | undefined }) =>
  queryOf(['tickets', 'list', filter], support.listTickets, {
    query: filter,
    placeholderData: keepPreviousData,
    refetchInterval: pollUnlessLive(LIST_POLL_MS),
  });

export const unreadTicketsQuery = queryOptions({
  queryKey: ['tickets', 'unread'],
  queryFn: async ({ signal }) => (await call(support.listTickets, { query: { limit: '1' }, signal })).unread,
  refetchInterval: pollUnlessLive(UNREAD_POLL_MS),
});

export type Thread = DataOf<typeof support.getTicketThread>;

export const threadQuery = (id: string) =>
  queryOf(['tickets', 'thread', id], support.getTicketThread, {
    query: { ticketId: id },
    refetchInterval: pollUnlessLive(THREAD_POLL_MS),
  });

export const downloadAttachment = (id: string): Promise<Blob> => callForFile(support.getAttachment, { params: { id } });

/** The client adds an idempotency key, so that pressing twice creates one ticket. */
export function useCreateTicket(onSuccess: (ticket: Ticket) => void) {
  const client = useQueryClient();
  return useSend(support.createTicket, {
    onSuccess: (ticket) => {
      onSuccess(ticket);
      void client.invalidateQueries({ queryKey: ['tickets'] });
    },
  });
}

/** Shows the message at once. A reply reopens the ticket. */
export function useReply(ticketId: string) {
  const client = useQueryClient();
  const { queryKey } = threadQuery(ticketId);
  return useMutation({
    mutationFn: (reply: Omit<BodyInOf<typeof support.replyToTicket>, 'ticketId'>) =>
      call(support.replyToTicket, { body: { ticketId, ...reply } }),
    onSuccess: (message) => {
      client.setQueryData(queryKey, (thread) => thread && withMessage(thread, message));
      void client.invalidateQueries({ queryKey: ['tickets'] });
    },
  });
}

const withMessage = ({ ticket, messages }: Thread, message: Thread['messages'][number]): Thread => ({
  ticket: { ...ticket, state: 'open' },
  messages: [...messages.filter(({ id }) => id !== message.id), message],
});

export function useMarkRead(ticketId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (upTo: string) => call(support.markTicketRead, { body: { ticketId, up_to: upTo } }),
    onSuccess: ({ unread }) => {
      client.setQueryData(unreadTicketsQuery.queryKey, unread);
      void client.invalidateQueries({ queryKey: ['tickets'] });
    },
  });
}

export function useCloseTicket(ticketId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(support.closeTicket, { body: { ticketId } }),
    onSuccess: (ticket) => {
      client.setQueryData(threadQuery(ticketId).queryKey, (thread) => thread && { ...thread, ticket });
      void client.invalidateQueries({ queryKey: ['tickets'] });
    },
  });
}
