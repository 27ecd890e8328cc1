import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Two processes on one embedded database lose acknowledged rows without an error, so the folder carries a file with
 * the owner's pid. A lock whose process is gone is taken over.
 *
 * @returns the function that gives the lock back
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock.pid');
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner !== process.pid && isAlive(owner)) throw new FolderInUse(folder, owner);
    writeFileSync(file, String(process.pid));
  }
  return () => rmSync(file, { force: true });
}

export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(`The database folder ${folder} is in use by process ${pid}. Stop it first, or choose another DATA_DIR.`);
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
