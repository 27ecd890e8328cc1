import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf, DataOf, Endpoint } from '#contract/endpoint.ts';
import { type CallInput, call, signOutByCall } from './call.ts';

/** A call that takes only a body, as a mutation function. */
export const sendTo =
  <E extends Endpoint>(row: E) =>
  (body: BodyInOf<E>): Promise<DataOf<E>> =>
    call(row as Endpoint, { body } as CallInput<Endpoint>) as Promise<DataOf<E>>;

type Sending<E extends Endpoint> = Omit<UseMutationOptions<DataOf<E>, Error, BodyInOf<E>>, 'mutationFn'>;

/** The mutation for it. */
export const useSend = <E extends Endpoint>(row: E, options: Sending<E> = {}) =>
  useMutation<DataOf<E>, Error, BodyInOf<E>>({ ...options, mutationFn: sendTo(row) });

/** Signs out. Pending reads are cancelled first: the server would refuse them once the sign-in has ended. */
export function useSignOutOf(row: Parameters<typeof signOutByCall>[0]) {
  const client = useQueryClient();
  return useMutation({ onMutate: () => client.cancelQueries(), mutationFn: () => signOutByCall(row) });
}
