import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { TEMPLATE } from '#test/database/postgres-setup.ts';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import { type DemoPlace, databaseOf, MADE, waitForDemoWorld } from './demo-place.ts';

/** A server on a private copy of the demo world; `name` identifies its database. */
export async function startDemoServer(name: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const database = await copyDemoWorld(name);
  return startServer({ DEMO: '1', RATE_LIMIT: '100000', ...database, ...env });
}

/** A server on an unused world. */
export async function startEmptyServer(name: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer({ ...(await makeEmptyWorld(name)), ...env });
}

/** A new database without any activity. @returns the environment of a server that uses it */
export async function makeEmptyWorld(name: string): Promise<Record<string, string>> {
  const place = inject('demoPlace');
  if (place.postgresUrl !== null) await runScript(place.postgresUrl, `create database ${name} template ${TEMPLATE}`);
  return databaseOf(place, name);
}

/** A copy of the unchanged demo world. @returns the environment of a server that uses it */
export async function copyDemoWorld(name: string): Promise<Record<string, string>> {
  const place = inject('demoPlace');
  await waitForDemoWorld(place);
  await copy(place, name);
  return databaseOf(place, name);
}

async function copy({ folder, postgresUrl }: DemoPlace, name: string): Promise<void> {
  if (postgresUrl === null) cpSync(join(folder, MADE), join(folder, name), { recursive: true });
  else await runScript(postgresUrl, `create database ${name} template ${MADE}`);
}

async function runScript(url: string, script: string): Promise<void> {
  const admin = connectPostgres(url, { max: 1 });
  await admin.runScript(script);
  await admin.close();
}
