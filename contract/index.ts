import type { Endpoint } from './endpoint.ts';
import * as table from './endpoints.ts';

export const { apiBase, ...endpoints } = table;

/** Every endpoint with its name, for tests and generated documents. */
export const allEndpoints: { name: string; row: Endpoint }[] = Object.entries(endpoints).flatMap(([domain, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ name: `${domain}.${name}`, row: row as Endpoint })),
);
