import { backtest } from './backtest.ts';
import type { Endpoint } from './endpoint.ts';
import { funds } from './funds.ts';
import { identity } from './identity.ts';
import { market } from './market.ts';
import { notify } from './notify.ts';
import { operator } from './operator.ts';
import { plans } from './plan.ts';
import { trading } from './trading.ts';

/** The table of all calls, by domain: the single source for routes, client, OpenAPI and the generated tests. */
export const endpoints = { identity, notify, market, trading, plans, backtest, funds, operator };

export const apiBase = '/api/v1';

/** Every row with its name, for tests and documents. */
export const allEndpoints: { name: string; row: Endpoint }[] = Object.entries(endpoints).flatMap(([domain, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ name: `${domain}.${name}`, row: row as Endpoint })),
);
