import { execFileSync, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from '#test/kit/run-script.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';

/** Arguments that these commands do not have, with what they say of them. */
const wrong: readonly (readonly [script: string, words: string, said: RegExp])[] = [
  ['run.mjs', 'migrate now', /^Unexpected argument 'now'\. Usage: npm run migrate\n/],
  ['run.mjs', 'start foo', /^Unexpected argument 'foo'\. Usage: npm start\n/],
  ['run.mjs', 'mgirate', /^Unknown command mgirate\. /],
  ['ledger-verify.ts', '--head x', /^Unknown option '--head'\. To see the arguments, add: -- --help\n$/],
  [
    'ledger-verify.ts',
    '--heads',
    /^Option '--heads <value>' argument missing\. To see the arguments, add: -- --help\n$/,
  ],
  ['venue-rehearse.ts', '--dry', /^VENUE: .+ needs VENUE=ccxt\.\n$/],
  ['key-rotate.ts', '--retire --list', /^--retire: /],
  ['market-fetch.ts', '--wrong', /^Unknown option '--wrong'/],
  ['market-fetch.ts', '--exchange kraken', /^--out: required\n/],
  ['backtest.ts', '--leverage 10', /^Unknown option '--leverage'/],
  ['check.ts', '--foo', /^Unknown option '--foo'/],
  ['rehearse-restore.ts', '--archive /archive', /^A backup needs --backup, --archive and --identity/],
  ['rehearse-restore.ts', '--backup /b --archive /nowhere --identity /key', /^--archive: no folder \/nowhere\n/],
  ['rehearse-failover.ts', '--nodes 4', /^--nodes is 2 or 3/],
  ['texts.ts', '../de', /^LANGUAGE: /],
  ['../bench/run.ts', 'audti', /^Which benchmark\? /],
  ['../bench/run.ts', 'audit many', /^SIZE: many is not a whole number\n/],
  ['../bench/run.ts', 'settle 20000', /^SIZE: must be one of 10000, 100000, 1000000\n/],
  ['../bench/run.ts', 'ledger --pgledger /nowhere', /^--pgledger FOLDER: there is no /],
  ['../test/faults/run.ts', 'zzz', /^There is no zzz, only /],
  ['../test/faults/run.ts', '0 tick', /^There is no 0, only /],
  ['../test/fuzz/run.ts', '--lanes 0', /^--minutes, --requests, --seed, --lanes: /],
  ['../test/simulated-users/run.ts', 'scripts', /^32 of 32 recordings are missing: /],
];

test.for(wrong)('%s refuses %s in one line', async ([script, words, said]) => {
  const ended = await runScript(script, words.split(' '), { DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
  expect(ended).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^.+\n$/), code: 1 });
  expect(ended.stderr).toMatch(said);
});

test('a command that needs no settings runs whatever they are', async () => {
  const settings = { DATABASE_READER_URL: 'postgresql://reader@127.0.0.1:1/none', MODE: 'production' };
  const { stderr } = await runScript('rehearse-restore.ts', ['--archive', '/archive'], settings);
  expect(stderr).toMatch(/^A backup needs --backup, /);
});

test('each command prints its usage with --help, and does nothing', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of Object.keys(scripts)) {
    const run = ['start', 'test'].includes(name) ? 'npm' : 'npm run';
    expect(await runScript('run.mjs', [name, '--help'], {})).toEqual({
      stdout: expect.stringMatching(new RegExp(`^Usage: ${run} ${name}( -- .+)?\n`)),
      stderr: '',
      code: 0,
    });
  }
});

test('a command ends with the shell that npm runs it in', async () => {
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-shell-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, npm_lifecycle_event: 'start', PORT: '0', DEMO: '0', DATA_DIR: folder };
  const shell = spawn('sh', ['-c', 'node scripts/run.mjs start; :'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  // Of the shell's output, not of the shell: when everything that writes there has ended.
  const ended = once(shell, 'close');
  let said = '';
  for await (const [chunk] of on(shell.stdout, 'data', { close: ['end'] })) {
    said += chunk;
    if (said.includes('Tradewind serves on')) break;
  }
  expect(said).toContain('Tradewind serves on');
  shell.kill('SIGTERM');
  await ended;
});

test('a machine that runs no install scripts gets the pinned Node all the same', () => {
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, lines: string[]) =>
    writeFileSync(join(folder, file), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  for (const made of ['scripts', 'programs', 'node_modules/.bin']) mkdirSync(join(folder, made), { recursive: true });
  for (const file of ['scripts/run.mjs', 'package-lock.json']) cpSync(file, join(folder, file));
  write('pinned-node', ['echo "$@"']);
  write('programs/npm', ['echo npm "$@"', '[ $1 = install ] || cp pinned-node node_modules/.bin/node']);
  const start = () =>
    execFileSync(process.execPath, ['scripts/run.mjs', 'migrate'], {
      cwd: folder,
      env: { PATH: `${join(folder, 'programs')}:/usr/bin:/bin` },
      encoding: 'utf8',
    }).split('\n');
  expect(start()).toEqual([
    'Installing dependencies …',
    'npm install --include=dev --no-save --no-audit --no-fund --loglevel=error',
    'npm rebuild node --ignore-scripts=false --loglevel=error',
    'scripts/migrate.ts',
    '',
  ]);
  expect(start()).toEqual(['scripts/migrate.ts', '']);
});
