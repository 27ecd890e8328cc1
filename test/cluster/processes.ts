import { setTimeout as wait } from 'node:timers/promises';
import { type ServerProcess, startServer } from '#test/kit/server-process.ts';
import type { Ports } from './settings.ts';

const WORKERS = 2;
/** Longer than HAProxy takes to notice that a server has become ready or unready. */
const NOTICED_MS = 1500;

/** The processes of an installation: workers, and those that answer requests behind HAProxy. */
export type Processes = {
  readonly origin: string;
  /** Restarts all in turn, each once the one before is ready. @returns how many */
  readonly restartAll: () => Promise<number>;
  /** The same for those that answer requests, with additional settings. */
  readonly restartWebs: (env: Record<string, string>) => Promise<void>;
  /** Output that needs attention. */
  readonly listFaults: () => string[];
  readonly stop: () => Promise<void>;
};

export async function startProcesses(ports: Ports, env: Record<string, string>): Promise<Processes> {
  const startWeb = (port: number, more: Record<string, string> = {}) =>
    startServer({ ...env, JOBS: 'off', PORT: String(port), ...more });
  const startWorker = () => startServer({ ...env, JOBS: 'on' });
  const ended: ServerProcess[] = [];
  const workers: ServerProcess[] = [];
  const webs: ServerProcess[] = [];
  const replace = async (processes: ServerProcess[], index: number, start: () => Promise<ServerProcess>) => {
    const old = processes[index] as ServerProcess;
    const code = await old.stop();
    ended.push(old);
    if (code !== 0) throw new Error(`a process ended with ${code}:\n${old.output()}`);
    processes[index] = await start();
    await wait(NOTICED_MS);
  };
  const restartWebs = async (more: Record<string, string>) => {
    for (const [index, port] of ports.apis.entries()) await replace(webs, index, () => startWeb(port, more));
  };
  // One by one: parallel starts take as long, and the first process creates the job queues.
  for (let index = 0; index < WORKERS; index += 1) workers.push(await startWorker());
  for (const port of ports.apis) webs.push(await startWeb(port));
  await wait(NOTICED_MS);
  return {
    origin: `http://127.0.0.1:${ports.web}`,
    restartWebs,
    restartAll: async () => {
      await restartWebs({});
      for (const index of workers.keys()) await replace(workers, index, startWorker);
      return webs.length + workers.length;
    },
    listFaults: () =>
      [...ended, ...webs, ...workers].flatMap((one) =>
        one
          .output()
          .split('\n')
          .filter((line) => /"level":[56]0/.test(line)),
      ),
    stop: async () => void (await Promise.all([...webs, ...workers].map((one) => one.stop()))),
  };
}
