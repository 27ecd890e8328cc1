import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Endpoint } from '../../contract/endpoint.ts';
import { apiBase, endpoints } from '../../contract/index.ts';

const file = join(import.meta.dirname, '../src/api/endpoints.ts');

/** What a browser needs of a row; its schemas stay with the server. */
const lighten = ({ method, path, access, idempotent }: Endpoint) => ({
  method,
  path,
  access: typeof access === 'string' ? access : 'operators',
  ...(idempotent ? { idempotent } : {}),
});

/** Domain by domain, row by row, as the browser has it. */
export const lightTable = Object.fromEntries(
  Object.entries(endpoints).map(([domain, rows]) => [
    domain,
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, lighten(row as Endpoint)])),
  ]),
);

/**
 * Replaces `src/shared/endpoints.ts` by the table without its schemas, and refuses zod in the bundle: one careless
 * import of a contract file with schemas would add 60 kB to the login page without anybody noticing.
 */
export function lightEndpoints(): Plugin {
  return {
    name: 'light-endpoints',
    enforce: 'pre',
    load(id) {
      if (id !== file) return null;
      return `export const apiBase = ${JSON.stringify(apiBase)};\nexport const endpoints = ${JSON.stringify(lightTable)};\n`;
    },
    resolveId(source, importer) {
      if (source === 'zod') this.error(`${importer} brings zod into the web bundle: import its types only`);
      return null;
    },
  };
}
