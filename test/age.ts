import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether age is installed, with which backups are encrypted. */
export const hasAge = (): boolean =>
  ['/usr/bin', ...(process.env.PATH ?? '').split(':')].some((folder) => existsSync(join(folder, 'age')));

/** A new private key in a file. @returns the public one */
export function makeAgeKey(file: string): string {
  execFileSync('age-keygen', ['-o', file], { stdio: 'pipe' });
  return execFileSync('age-keygen', ['-y', file], { encoding: 'utf8' }).trim();
}
