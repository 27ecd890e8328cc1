import { identity } from '#contract/endpoints.ts';
import { queryOf } from './query-of.ts';

/** The signed-in member as the server knows it. */
export const meQuery = queryOf(['identity', 'me'], identity.me);
