import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Cluster } from '#test/database/postgres-cluster.ts';
import { asDeployed, startServer } from '#test/kit/server-process.ts';
import { readerFile } from './live-reader.ts';
import { atMost, onCluster, percentile } from './measure.ts';
import { type Figure, report } from './report.ts';
import { openWorld, START, signInMembers } from './world.ts';

const SOCKETS = 10_000;
const SECONDS = 40;
const LOOK_MS = 200;

/**
 * Prices to very many sockets of one process: every second a frame with all pairs, to members who each have one socket and
 * subscribe to all topics (docs/performance.md).
 *
 * @returns whether every figure meets its target
 */
export const runLiveBench = (sockets = SOCKETS): Promise<boolean> =>
  onCluster((cluster) => benchLive(cluster, sockets), []);

async function benchLive(cluster: Cluster, sockets: number): Promise<boolean> {
  const { database, context, url, recording } = await openWorld(cluster, 'live', sockets, 1_000_000_000n);
  const tokens = await signInMembers(context, sockets);
  await database.close();
  const env = {
    ...asDeployed.env,
    DATABASE_URL: url,
    RATE_LIMIT: '1000000',
    LIVE_SOCKETS: String(sockets),
    LOG_LEVEL: 'debug',
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: START,
    MARKET_SPEED: '60',
  };
  const server = await startServer(env, 60, asDeployed.program);
  try {
    const before = readMemory(server.pid);
    const memory = watchMemoryOf(server.pid);
    const { arrivals, readyMs, utilization } = await listen(server.origin, tokens).finally(memory.stop);
    const shown = readShown(server.output());
    const times = [...shown.keys()].filter((time) => arrivals[time] !== undefined);
    // Sockets were still connecting or closing during the first and last frames.
    const frames = times.slice(2, -2);
    const delays = frames.flatMap((time) => (arrivals[time] ?? []).map((at) => at - (shown.get(time) ?? 0)));
    const told = frames.map((time) => arrivals[time]?.length ?? 0);
    const dropped = told.reduce((sum, count) => sum + sockets - count, 0);
    return report(
      'live',
      'Live prices',
      [
        delayOf(delays, sockets),
        countOf(dropped, frames.length, sockets),
        atMost(`memory of the process with ${sockets} sockets, at most`, memory.most(), 'MB', 250, 200),
      ],
      [
        `${sockets} sockets of as many members at one process that also runs the jobs, on one PostgreSQL with fsync and synchronous_commit on; the reader is one process on the same machine, busy ${(utilization * 100).toFixed(0)} % of the time. ${frames.length} frames of 16 pairs, one a second, counted from their making to their being read; the middle one of all delays is ${percentile(delays, 0.5).toFixed(1)} ms, the longest ${percentile(delays, 1).toFixed(1)} ms. A beat to every socket falls into it. All sockets were let in within ${(readyMs / 1000).toFixed(1)} s. Before, the process took ${before.toFixed(0)} MB.`,
      ],
    );
  } finally {
    await server.stop();
    recording.remove();
  }
}

const delayOf = (delays: readonly number[], sockets: number): Figure =>
  atMost(`a frame to the reader of each of ${sockets} sockets, p99`, percentile(delays, 0.99), 'ms', 150, 100);

const countOf = (dropped: number, frames: number, sockets: number): Figure => ({
  ...atMost(`frames dropped of ${frames * sockets}`, dropped, '', 0, 0),
  // Without any frames none would have been dropped either.
  value: frames < SECONDS / 2 ? Number.POSITIVE_INFINITY : dropped,
});

/** Current memory in megabytes. */
const readMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Peak memory from now until stopped. */
function watchMemoryOf(pid: number): { readonly most: () => number; readonly stop: () => void } {
  let most = readMemory(pid);
  const timer = setInterval(() => {
    most = Math.max(most, readMemory(pid));
  }, LOOK_MS);
  return { most: () => most, stop: () => clearInterval(timer) };
}

type Heard = {
  readonly arrivals: Readonly<Record<string, number[]>>;
  readonly readyMs: number;
  /** Share of the time in which the reader was busy. */
  readonly utilization: number;
};

/** The reader is a separate process, so that its work is not counted as the server's. */
async function listen(origin: string, tokens: readonly string[]): Promise<Heard> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-live-'));
  const file = join(folder, 'tokens.json');
  writeFileSync(file, JSON.stringify(tokens));
  try {
    const child = spawn(process.execPath, [readerFile, origin, file, String(SECONDS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const heard = await text(child.stdout);
    if (heard === '') throw new Error('The reader of the sockets failed.');
    return JSON.parse(heard) as Heard;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * When each frame was made, by its market time, from the server's log. A time shared by two frames, because the market
 * stood still, is ambiguous and left out.
 */
function readShown(output: string): Map<string, number> {
  const lines = output.split('\n').filter((line) => line.includes('"prices shown"'));
  const shown = lines.map((line) => JSON.parse(line) as { marketTime: string; time: number });
  const ofTimes = Map.groupBy(shown, ({ marketTime }) => marketTime);
  return new Map(
    [...ofTimes].flatMap(([marketTime, [first, ...more]]) =>
      first && more.length === 0 ? [[marketTime, first.time] as const] : [],
    ),
  );
}
