import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

const PROJECT = join(import.meta.dirname, '..');
const OUT = join(PROJECT, 'dist/web');
const STAMP = join(PROJECT, 'dist/web.sha256');

/** Builds the web app when what it is made of has changed, and compresses what the server hands out. */
export async function buildWeb(): Promise<void> {
  const wanted = hashSources();
  if (existsSync(join(OUT, 'index.html')) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.log('Building the web app …');
  await build({ configFile: join(PROJECT, 'web/vite.config.ts'), logLevel: 'warn' });
  for (const file of globSync('**/*.{js,css,svg,json}', { cwd: OUT })) compress(join(OUT, file));
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, wanted);
}

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

function compress(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.length < 1024) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes));
}

if (import.meta.main) await buildWeb();
