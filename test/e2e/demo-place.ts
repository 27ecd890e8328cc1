import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedKeyFile, startServer } from '#test/kit/server-process.ts';

/**
 * Where the browser tests' worlds are: folders of embedded databases, or databases of one PostgreSQL where it is
 * installed.
 */
export type DemoPlace = { readonly folder: string; readonly postgresUrl: string | null };

/** Creating it alongside other tests takes longer than alone; hooks wait this long. */
const PATIENCE_SECONDS = 170;

/** The world that is created once and copied. */
export const MADE = 'made';

const markOf = ({ folder }: DemoPlace) => join(folder, 'is-made');
const faultOf = ({ folder }: DemoPlace) => join(folder, 'fault');

/** Browsers and servers share the machine: slow requests are not refused there, unlike in production. */
const patience = { DATABASE_WAIT_MS: '30000', DATABASE_LOCK_MS: '30000', DATABASE_STATEMENT_MS: '60000' };

/** The environment that makes a server use the database of this name. */
export const databaseOf = ({ folder, postgresUrl }: DemoPlace, name: string): Record<string, string> =>
  postgresUrl === null
    ? { DATA_DIR: join(folder, name) }
    : { DATABASE_URL: postgresUrl.replace(/[^/]+$/, name), SEAL_KEY_FILE: sharedKeyFile(), ...patience };

/** Creates the demo world; an error is passed to everything that waits for it. */
export async function makeDemoWorldIn(place: DemoPlace): Promise<void> {
  try {
    const server = await startServer({ DEMO: '1', ...databaseOf(place, MADE) }, PATIENCE_SECONDS);
    await server.stop();
    writeFileSync(markOf(place), '');
  } catch (error) {
    writeFileSync(faultOf(place), String(error));
  }
}

/** Waits until the demo world exists. */
export async function waitForDemoWorld(place: DemoPlace): Promise<void> {
  for (let waits = 0; !existsSync(markOf(place)); waits += 1) {
    if (existsSync(faultOf(place))) throw new Error(readFileSync(faultOf(place), 'utf8'));
    if (waits > PATIENCE_SECONDS * 5) throw new Error('the demo world was not made');
    await sleep(200);
  }
}
