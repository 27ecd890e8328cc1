import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedKeyFile, startServer } from '../server-process.ts';

/**
 * Where the worlds of the browser tests lie: folders of embedded databases, or databases of one PostgreSQL where its
 * programs are installed.
 */
export type DemoPlace = { readonly folder: string; readonly postgresUrl: string | null };

/** Made beside other tests it takes longer than alone; hooks wait as long. */
const PATIENCE_SECONDS = 170;

/** The world that is made once and copied. */
export const MADE = 'made';

const markOf = ({ folder }: DemoPlace) => join(folder, 'is-made');
const faultOf = ({ folder }: DemoPlace) => join(folder, 'fault');

/** Browsers and their servers share the machine: what answers late there is not refused, as it would be to a member. */
const patience = { DATABASE_WAIT_MS: '30000', DATABASE_LOCK_MS: '30000', DATABASE_STATEMENT_MS: '60000' };

/** What tells a server that its database is the one of this name. */
export const databaseOf = ({ folder, postgresUrl }: DemoPlace, name: string): Record<string, string> =>
  postgresUrl === null
    ? { DATA_DIR: join(folder, name) }
    : { DATABASE_URL: postgresUrl.replace(/[^/]+$/, name), SEAL_KEY_FILE: sharedKeyFile(), ...patience };

/** Makes the demo world; what keeps it from being made is told to everybody who asks for it. */
export async function makeDemoWorldIn(place: DemoPlace): Promise<void> {
  try {
    const server = await startServer({ DEMO: '1', ...databaseOf(place, MADE) }, PATIENCE_SECONDS);
    await server.stop();
    writeFileSync(markOf(place), '');
  } catch (error) {
    writeFileSync(faultOf(place), String(error));
  }
}

/** Waits until the demo world is made. */
export async function waitForDemoWorld(place: DemoPlace): Promise<void> {
  for (let waits = 0; !existsSync(markOf(place)); waits += 1) {
    if (existsSync(faultOf(place))) throw new Error(readFileSync(faultOf(place), 'utf8'));
    if (waits > PATIENCE_SECONDS * 5) throw new Error('the demo world was not made');
    await sleep(200);
  }
}
