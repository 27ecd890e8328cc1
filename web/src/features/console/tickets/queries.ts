import { useQueryClient } from '@tanstack/react-query';
import type { BodyInOf, DataOf } from '#contract/endpoint.ts';
import { operatorTickets } from '#contract/endpoints.ts';
import type { OperatorMessage, OperatorTicket } from '#contract/tickets/tickets.ts';
import { call, callForFile } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

const ONE_POLL_MS = 5_000;
/** Colleagues and canned replies change rarely. */
const RARE_MS = 60_000;

export type OperatorThread = DataOf<typeof operatorTickets.getOperatorTicket>;

/** Loading it marks the member's messages as seen. */
export const threadQuery = (id: string) =>
  queryOf(['operator', 'tickets', 'one', id], operatorTickets.getOperatorTicket, {
    params: { id },
    pollMs: ONE_POLL_MS,
  });

export const readersQuery = queryOf(['operator', 'ticket-readers'], operatorTickets.listTicketReaders, {
  staleTime: RARE_MS,
});

export const cannedRepliesQuery = queryOf(['operator', 'canned-replies'], operatorTickets.listCannedReplies, {
  staleTime: RARE_MS,
});

export const downloadAttachment = (id: string): Promise<Blob> =>
  callForFile(operatorTickets.getOperatorAttachment, { params: { id } });

const REFRESHED = ['tickets', 'overview'];

function useShowTicket() {
  const client = useQueryClient();
  return (ticket: OperatorTicket) =>
    client.setQueryData(threadQuery(ticket.id).queryKey, (thread) => thread && { ...thread, ticket });
}

/** To a colleague, or unassigned. */
export const useAssign = ({ id, version }: OperatorTicket) =>
  useOperatorMutation(
    (operatorId: string | null) =>
      call(operatorTickets.assignTicket, { params: { id }, body: { version, operator_id: operatorId } }),
    REFRESHED,
    useShowTicket(),
  );

export const useCloseTicket = ({ id, version }: OperatorTicket) =>
  useOperatorMutation(
    () => call(operatorTickets.closeAsOperator, { params: { id }, body: { version } }),
    REFRESHED,
    useShowTicket(),
  );

/**
 * An answer to the member, or a note that only operators see. The message is in the thread once the server has accepted
 * it.
 *
 * @param seen the last message on screen
 */
export function useAnswer(id: string, isPrivate: boolean, seen: string | undefined) {
  const client = useQueryClient();
  return useOperatorMutation(
    (message: Omit<BodyInOf<typeof operatorTickets.replyAsOperator>, 'private' | 'seen'>) =>
      call(operatorTickets.replyAsOperator, { params: { id }, body: { ...message, private: isPrivate, seen } }),
    REFRESHED,
    (message) => client.setQueryData(threadQuery(id).queryKey, (thread) => thread && withMessage(thread, message)),
  );
}

/** A note does not change the state. */
const withMessage = ({ ticket, messages }: OperatorThread, message: OperatorMessage): OperatorThread => ({
  ticket: message.private ? ticket : { ...ticket, state: 'answered', waiting_since: null },
  messages: [...messages.filter(({ id }) => id !== message.id), message],
});
