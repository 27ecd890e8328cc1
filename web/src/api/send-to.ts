import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import type { BodyInOf, DataOf, Endpoint } from '#contract/endpoint.ts';
import { type CallInput, call } from './call.ts';

/** A call that takes a body and no more, for the mutation that sends it. */
export const sendTo =
  <E extends Endpoint>(row: E) =>
  (body: BodyInOf<E>): Promise<DataOf<E>> =>
    call(row as Endpoint, { body } as CallInput<Endpoint>) as Promise<DataOf<E>>;

type Sending<E extends Endpoint> = Omit<UseMutationOptions<DataOf<E>, Error, BodyInOf<E>>, 'mutationFn'>;

/** That mutation. */
export const useSend = <E extends Endpoint>(row: E, options: Sending<E> = {}) =>
  useMutation<DataOf<E>, Error, BodyInOf<E>>({ ...options, mutationFn: sendTo(row) });
