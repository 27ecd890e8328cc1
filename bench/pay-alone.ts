import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { payDue } from '#server/income/periods/pay-due.ts';
import { inSeconds, watchMemory } from './measure.ts';
import { connectWorld } from './world.ts';

export type Step = { readonly seconds: number; readonly memoryMb: number };

/** Pays what is due in a separate process. @param folder of the world's recording */
export async function payAlone(url: string, folder: string): Promise<Step> {
  const args = [...process.execArgv, import.meta.filename, url, folder];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Step;
}

async function step(url: string, folder: string): Promise<Step> {
  const { database, context } = connectWorld(url, folder);
  const memory = watchMemory();
  const seconds = await inSeconds(() => payDue(context));
  const memoryMb = memory.stop();
  await database.close();
  return { seconds, memoryMb };
}

if (import.meta.main) {
  const [, , url, folder] = process.argv;
  if (url && folder) process.stdout.write(JSON.stringify(await step(url, folder)));
}
