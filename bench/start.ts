import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '#test/database/postgres-cluster.ts';
import { atMost, inSeconds } from './measure.ts';
import { median, report } from './report.ts';

const PROJECT = join(import.meta.dirname, '..');
const AGAIN = 3;
const PATIENCE_SECONDS = 300;

/**
 * Time to the first page of `npm start` on a fresh clone with modules installed, and again with its demo world.
 *
 * @returns whether every figure meets its target
 */
export async function runStartBench(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-start-'));
  try {
    cloneTo(folder);
    const first = await startOnce(folder, () => waitForBuild(folder));
    const again: number[] = [];
    for (let start = 0; start < AGAIN; start += 1) again.push(await startOnce(folder));
    return report(
      'start',
      'From the first command',
      [
        atMost('first start: build, migrations, demo world, first page', first, 's', 45, 30),
        atMost(`start with a demo world to first page, median of ${AGAIN}`, median(again), 's', 3, 2),
      ],
      [
        `\`npm start\` on a copy of what git knows, with modules of this folder, no build, no compiled sources and no database. Starts later took ${again.map((seconds) => seconds.toFixed(2)).join(', ')} s.`,
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Links each module, without the caches kept beside them, such as compiled sources. */
function cloneTo(folder: string): void {
  const list = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT, encoding: 'utf8' });
  for (const path of list.split('\0').filter((path) => path !== '')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(PROJECT, path), join(folder, path));
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.cache'), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'node_modules')).filter((name) => !/^\.(?!bin$)/.test(name)))
    symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name));
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  writeFileSync(join(modules, '.cache/tradewind-lock'), lock);
}

/** Compression after the first page belongs to the first start. */
async function waitForBuild(folder: string): Promise<void> {
  for (let look = 0; !existsSync(join(folder, 'dist/web.sha256')); look += 1) {
    if (look > PATIENCE_SECONDS * 10) throw new Error('The build did not end.');
    await wait(100);
  }
}

/** @returns seconds until the login page was served */
async function startOnce(folder: string, afterwards = async () => {}): Promise<number> {
  const port = await freePort();
  const { PATH } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH, PORT: String(port) },
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  try {
    const seconds = await inSeconds(async () => {
      const giveUpAt = performance.now() + PATIENCE_SECONDS * 1000;
      while (!(await isServed(`http://127.0.0.1:${port}/login`))) {
        if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error('No page was served.');
        await wait(20);
      }
    });
    await afterwards();
    return seconds;
  } finally {
    child.kill('SIGTERM');
    await gone;
  }
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (reply) => (await reply.text()) !== '' && reply.ok,
    () => false,
  );
