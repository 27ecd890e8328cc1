import { account } from '#contract/endpoints.ts';
import { queryOf } from '../../api/query-of.ts';

/** How well the account is protected. */
export const securityQuery = queryOf(['identity', 'security'], account.getSecurity);
