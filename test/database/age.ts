import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether age, which encrypts backups, is installed. */
export const hasAge = (): boolean =>
  ['/usr/bin', ...(process.env.PATH ?? '').split(':')].some((folder) => existsSync(join(folder, 'age')));

/** Writes a new private key to a file. @returns the public key */
export function makeAgeKey(file: string): string {
  execFileSync('age-keygen', ['-o', file], { stdio: 'pipe' });
  return execFileSync('age-keygen', ['-y', file], { encoding: 'utf8' }).trim();
}
