import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { patient } from '#test/worlds/app.ts';
import { testContext } from '#test/worlds/builders.ts';
import { createHttp, type Http, type HttpOptions } from './server.ts';

type Options = {
  readonly env?: Record<string, string>;
  readonly webDir?: string;
  readonly findCaller?: Http['findCaller'];
  readonly options?: HttpOptions;
};

/** A context on a database of the file’s own, for the top of a test file. */
export async function openContext({ env, webDir }: Options = {}): Promise<Context> {
  const context = testContext(closeAfterAll(await openTestDatabase()), undefined, env);
  return webDir === undefined ? context : { ...context, config: { ...context.config, webDir } };
}

/** The HTTP server with what `mountAll` mounts; nobody is signed in unless `findCaller` knows them. */
export async function openHttp(
  mountAll: (http: Http, context: Context) => unknown,
  { findCaller = async () => undefined, options = patient, ...rest }: Options = {},
) {
  const context = await openContext(rest);
  const http = await createHttp(context, findCaller, options);
  await mountAll(http, context);
  await http.fastify.ready();
  closeAfterAll({ close: () => http.fastify.close() });
  return { http, context };
}

/** Starts listening. @returns its port on the loopback address */
export async function listenAt({ fastify }: Http): Promise<number> {
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  return (fastify.server.address() as AddressInfo).port;
}

/** A folder as built for the web app, with these files besides its page. */
export function makeWebFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-web-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<html><head><!--app-info--></head></html>');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

export const appInfo = {
  brandName: 'Tradewind',
  mode: 'paper',
  money: 'simulated',
  payments: ['sandbox'],
  venue: 'paper',
  supportEmail: '',
  legalEntity: undefined,
  languages: ['en'],
  outbox: true,
  demo: null,
} as const;
