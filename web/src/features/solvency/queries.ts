import { reserves, solvency, solvencySeal } from '#contract/endpoints.ts';
import { queryOf } from '../../api/query-of.ts';

const POLL_MS = 30_000;
/** A proof is made once a market day. */
const SEAL_POLL_MS = 60_000;

export const solvencyQuery = queryOf(['solvency'], solvency.getSolvency, {
  pollMs: POLL_MS,
});

/** As published: the leaf must not be verified against data that came with it. */
export const snapshotQuery = queryOf(['solvency', 'snapshot'], solvencySeal.getSnapshot, {
  pollMs: SEAL_POLL_MS,
});

export const ownLeafQuery = queryOf(['solvency', 'my-leaf'], solvencySeal.getOwnLeaf, {
  pollMs: SEAL_POLL_MS,
});

export const reservesQuery = queryOf(['solvency', 'reserves'], reserves.listReserves, {
  pollMs: SEAL_POLL_MS,
});

export const ownProofsQuery = queryOf(['solvency', 'my-proofs'], solvencySeal.listOwnProofs, {
  pollMs: SEAL_POLL_MS,
});

export const reportedQuery = queryOf(['solvency', 'reported'], solvencySeal.getReported, {
  pollMs: POLL_MS,
});
