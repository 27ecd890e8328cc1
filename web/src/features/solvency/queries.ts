import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';
import { pollEvery } from '../../api/poll.ts';

const POLL_MS = 30_000;
/** A proof is made once a market day. */
const SEAL_POLL_MS = 60_000;

export const solvencyQuery = queryOptions({
  queryKey: ['solvency'],
  queryFn: ({ signal }) => call(endpoints.solvency.getSolvency, { signal }),
  refetchInterval: pollEvery(POLL_MS),
});

/** As published: the leaf must not be verified against something that came with it. */
export const snapshotQuery = queryOptions({
  queryKey: ['solvency', 'snapshot'],
  queryFn: ({ signal }) => call(endpoints.solvencySeal.getSnapshot, { signal }),
  refetchInterval: pollEvery(SEAL_POLL_MS),
});

export const ownLeafQuery = queryOptions({
  queryKey: ['solvency', 'my-leaf'],
  queryFn: ({ signal }) => call(endpoints.solvencySeal.getOwnLeaf, { signal }),
  refetchInterval: pollEvery(SEAL_POLL_MS),
});

export const reservesQuery = queryOptions({
  queryKey: ['solvency', 'reserves'],
  queryFn: ({ signal }) => call(endpoints.reserves.listReserves, { signal }),
  refetchInterval: pollEvery(SEAL_POLL_MS),
});

export const ownProofsQuery = queryOptions({
  queryKey: ['solvency', 'my-proofs'],
  queryFn: ({ signal }) => call(endpoints.solvencySeal.listOwnProofs, { signal }),
  refetchInterval: pollEvery(SEAL_POLL_MS),
});

export const reportedQuery = queryOptions({
  queryKey: ['solvency', 'reported'],
  queryFn: ({ signal }) => call(endpoints.solvencySeal.getReported, { signal }),
  refetchInterval: pollEvery(POLL_MS),
});
