import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';

const OVERVIEW_POLL_MS = 10_000;

/** What is held and owed, what waits, what runs: the menu's badges, the foot and several pages read it. */
export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: ({ signal }) => call(endpoints.consoleOverview.getOverview, { signal }),
  refetchInterval: pollEvery(OVERVIEW_POLL_MS),
});
