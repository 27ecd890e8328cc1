import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { team } from '#contract/endpoints.ts';
import type { TeamSort } from '#contract/team.ts';
import { call } from '../../api/call.ts';
import { pollEvery } from '../../api/query-of.ts';

/** Volume and bonus change once a session, and new members are not urgent. */
const SLOW_MS = 30_000;
/** Page size of a branch. */
const BRANCH_SIZE = '25';
/** Matches per level when the whole team is searched. */
export const FOUND_SIZE = 10;

export type MemberFilter = {
  search?: string | undefined;
  sort?: TeamSort;
  cursor?: string | undefined;
  limit?: string;
};

export const overviewQuery = queryOptions({
  queryKey: ['team', 'overview'],
  queryFn: async ({ signal }) => {
    const data = await call(team.getTeam, { query: {}, signal });
    if (!('levels' in data)) throw new Error('without a level the team comes in figures');
    return data;
  },
  refetchInterval: pollEvery(SLOW_MS),
});

export async function readLevel(level: number, filter: MemberFilter, signal: AbortSignal) {
  const data = await call(team.getTeam, { query: { ...filter, level: String(level) }, signal });
  if (!('items' in data)) throw new Error('with a level the team comes as a list');
  return data;
}

export const levelQuery = (level: number, filter: MemberFilter) =>
  queryOptions({
    queryKey: ['team', 'level', level, filter],
    queryFn: ({ signal }) => readLevel(level, filter, signal),
    // Rows of another page or order stay while the next ones load; those of another level would be wrong.
    placeholderData: (rows, before) => (before?.queryKey[2] === level ? rows : undefined),
  });

export const readReferrals = (filter: MemberFilter, signal: AbortSignal) =>
  call(team.listReferrals, { query: filter, signal });

export const referralsQuery = (filter: MemberFilter) =>
  queryOptions({
    queryKey: ['team', 'referrals', filter],
    queryFn: ({ signal }) => readReferrals(filter, signal),
    placeholderData: keepPreviousData,
  });

/** The direct referrals of a team member, or of the caller, as a branch of the tree. */
export const branchQuery = (of: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['team', 'branch', of],
    queryFn: ({ pageParam, signal }) =>
      call(team.listReferrals, { query: { of, cursor: pageParam, limit: BRANCH_SIZE }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
