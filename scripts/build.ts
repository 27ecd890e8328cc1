import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const PROJECT = join(import.meta.dirname, '..');
const OUT = join(PROJECT, 'dist/web');
const STAMP = join(PROJECT, 'dist/web.sha256');

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Builds the web app when what it is made of has changed, and compresses what the server hands out. */
export async function buildWeb(): Promise<void> {
  const wanted = hashSources();
  if (isBuilt(wanted)) return;
  console.log('Building the web app …');
  // Loading it takes a second, which a start with nothing to build is spared.
  const { build } = await import('vite');
  await build({ configFile: join(PROJECT, 'web/vite.config.ts'), logLevel: 'warn' });
  await Promise.all(globSync('**/*.{js,css,svg,json}', { cwd: OUT }).map((file) => compress(join(OUT, file))));
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, wanted);
}

/** The same in a process of its own, for who has something else to do meanwhile. It ends with this one. */
export async function buildWebBeside(): Promise<void> {
  if (isBuilt(hashSources())) return;
  const child = fork(import.meta.filename, { execArgv: [] });
  const code = await new Promise<number | null>((resolve, reject) => child.once('exit', resolve).once('error', reject));
  if (code !== 0) throw new Error('The web app could not be built');
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
  const [gz, br] = await Promise.all([gzipped(bytes, { level: 9 }), brotlied(bytes)]);
  writeFileSync(`${file}.gz`, gz);
  writeFileSync(`${file}.br`, br);
}

if (import.meta.main) {
  if (process.connected) process.once('disconnect', () => process.exit());
  await buildWeb();
  if (process.connected) process.disconnect();
}
