import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type ServerProcess, startServer } from '../server-process.ts';
import { findDemoWorld } from './demo-place.ts';

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
  const place = inject('demoPlace');
  const folder = join(place, name);
  cpSync(await findDemoWorld(place), folder, { recursive: true });
  return folder;
}
