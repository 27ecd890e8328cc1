import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';

/** How well the account is protected. */
export const securityQuery = queryOptions({
  queryKey: ['identity', 'security'],
  queryFn: ({ signal }) => call(endpoints.account.getSecurity, { signal }),
});
