import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const PROJECT = join(import.meta.dirname, '..');
const OUT = join(PROJECT, 'dist/web');
const STAMP = join(PROJECT, 'dist/web.sha256');

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Builds the web app if its sources have changed, and compresses the files to serve. */
export async function buildWeb(isServable = () => {}): Promise<void> {
  const wanted = hashSources();
  if (isBuilt(wanted)) return;
  console.log('Building the web app …');
  // Otherwise the output of an interrupted build would count as the previous, complete one.
  rmSync(STAMP, { force: true });
  // Importing Vite takes a second, so only a start that builds does it.
  const { build } = await import('vite');
  await build({ configFile: join(PROJECT, 'web/vite.config.ts'), logLevel: 'warn' });
  isServable();
  await Promise.all(globSync('**/*.{js,css,svg,json}', { cwd: OUT }).map((file) => compress(join(OUT, file))));
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, wanted);
}

/**
 * Builds in a child process, which exits with this one, so that the caller can do other work meanwhile.
 *
 * @returns when the app can be served; compression continues after that
 */
export async function buildWebBeside(): Promise<void> {
  if (isBuilt(hashSources())) return;
  const child = fork(import.meta.filename, { execArgv: [] });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('The web app could not be built'))));
  });
}

const isBuilt = (wanted: string): boolean =>
  existsSync(join(OUT, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted;

function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(['web/**/*', 'contract/**/*', 'package-lock.json'], { cwd: PROJECT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files)
    hash.update(file.slice(PROJECT.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  if (bytes.length < 1024) return;
  const [gz, br] = await Promise.all([toGzip(bytes, { level: 9 }), toBrotli(bytes)]);
  writeWhole(`${file}.gz`, gz);
  writeWhole(`${file}.br`, br);
}

/** Atomic, because the app may already be served: no request gets a partial file. */
function writeWhole(file: string, bytes: Buffer): void {
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
}

if (import.meta.main) {
  if (process.connected) process.once('disconnect', () => process.exit());
  await buildWeb(() => process.send?.('servable'));
  if (process.connected) process.disconnect();
}
