import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { Endpoint } from '../../contract/endpoint.ts';
import { apiBase, endpoints } from '../../contract/index.ts';

const file = join(import.meta.dirname, '../../contract/endpoints.ts');
const PREFIX = '\0light-endpoints/';

/** The part of a row that a browser needs; its schemas stay on the server. */
const lighten = ({ method, path, access, idempotent }: Endpoint) => ({
  method,
  path,
  access: typeof access === 'string' ? access : 'operators',
  ...(idempotent ? { idempotent } : {}),
});

type LightRow = ReturnType<typeof lighten>;

/** The rows by domain, as the browser gets them. */
export const lightTable: Readonly<Record<string, Readonly<Record<string, LightRow>>>> = Object.fromEntries(
  Object.entries(endpoints).map(([domain, rows]) => [
    domain,
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, lighten(row as Endpoint)])),
  ]),
);

/** Which pages call a domain of the table: signed-out ones, members', or only the console's. */
export function callersOf(id: string): 'strangers' | 'members' | 'operators' | undefined {
  if (!id.startsWith(PREFIX)) return undefined;
  const access = Object.values(lightTable[id.slice(PREFIX.length)] ?? {}).map((row) => row.access);
  if (access.includes('public')) return 'strangers';
  return access.every((one) => one === 'operators') ? 'operators' : 'members';
}

/** Each domain is a module, so that a page loads only its own domains' rows and not the console's. */
function writeModule(rows: Readonly<Record<string, LightRow>>): string {
  const names = Object.entries(rows).map(([name, row], at) => ({ name, at, row }));
  const constants = names.map(({ at, row }) => `const row${at} = ${JSON.stringify(row)};`);
  return `${constants.join('\n')}\nexport { ${names.map(({ name, at }) => `row${at} as ${name}`).join(', ')} };\n`;
}

/** Replaces `contract/endpoints.ts` by the table without its schemas. */
export function lightEndpoints(): Plugin {
  return {
    name: 'light-endpoints',
    enforce: 'pre',
    load(id) {
      if (id === file) {
        const domains = Object.keys(lightTable).map((domain) => `export * as ${domain} from '${PREFIX}${domain}';\n`);
        return `export const apiBase = ${JSON.stringify(apiBase)};\n${domains.join('')}`;
      }
      const rows = id.startsWith(PREFIX) ? lightTable[id.slice(PREFIX.length)] : undefined;
      return rows === undefined ? null : { code: writeModule(rows), moduleSideEffects: false };
    },
    resolveId: (source) => (source.startsWith(PREFIX) ? source : null),
  };
}

/**
 * Refuses zod in the bundle: one careless import of a contract file with schemas would add 60 kB to the login page
 * unnoticed. The development server scans dependencies in the files on disk, so it has no such rule.
 */
export function refuseSchemas(): Plugin {
  return {
    name: 'refuse-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (source === 'zod') this.error(`${importer} brings zod into the web bundle: import its types only`);
    },
  };
}
