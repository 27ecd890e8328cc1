import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { type ServerProcess, startServer } from '../server-process.ts';

/** A server with the demo world as it was made, for the caller alone; `name` tells its folder from those of others. */
export async function startDemoServer(name: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  const folder = await copyDemoWorld(name);
  const server = await startServer({ DEMO: '1', RATE_LIMIT: '100000', DATA_DIR: folder, ...env });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  return { ...server, stop };
}

/** The folder of a copy of the demo world, as it was made; `name` tells it from others. */
export async function copyDemoWorld(name: string): Promise<string> {
  const folder = join(inject('demoPlace'), name);
  cpSync(await findDemoWorld(), folder, { recursive: true });
  return folder;
}

/** Made beside other tests it takes longer than alone; hooks wait as long. */
const PATIENCE_SECONDS = 170;

/** The folder of the demo world: made by the first of all workers who asks, while the others wait. */
async function findDemoWorld(): Promise<string> {
  const folder = join(inject('demoPlace'), 'made');
  const mark = join(inject('demoPlace'), 'is-made');
  if (isFirst(join(inject('demoPlace'), 'is-begun'))) {
    const server = await startServer({ DEMO: '1', DATA_DIR: folder }, PATIENCE_SECONDS);
    await server.stop();
    writeFileSync(mark, '');
  }
  for (let waits = 0; !existsSync(mark); waits += 1) {
    if (waits > PATIENCE_SECONDS * 5) throw new Error('nobody made the demo world');
    await sleep(200);
  }
  return folder;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
