import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../server-process.ts';

/** Made beside other tests it takes longer than alone; hooks wait as long. */
const PATIENCE_SECONDS = 170;

const folderOf = (place: string) => join(place, 'made');
const markOf = (place: string) => join(place, 'is-made');
const faultOf = (place: string) => join(place, 'fault');

/** Makes the demo world; what keeps it from being made is told to everybody who asks for it. */
export async function makeDemoWorldIn(place: string): Promise<void> {
  try {
    const server = await startServer({ DEMO: '1', DATA_DIR: folderOf(place) }, PATIENCE_SECONDS);
    await server.stop();
    writeFileSync(markOf(place), '');
  } catch (error) {
    writeFileSync(faultOf(place), String(error));
  }
}

/** The folder of the demo world, once it is made. */
export async function findDemoWorld(place: string): Promise<string> {
  for (let waits = 0; !existsSync(markOf(place)); waits += 1) {
    if (existsSync(faultOf(place))) throw new Error(readFileSync(faultOf(place), 'utf8'));
    if (waits > PATIENCE_SECONDS * 5) throw new Error('the demo world was not made');
    await sleep(200);
  }
  return folderOf(place);
}
