import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig } from '#server/config.ts';

/**
 * Locks the folder with a file that contains the owner's pid: two processes on one embedded database lose acknowledged
 * rows without an error. A lock whose process has ended is taken over.
 *
 * @returns a function that releases the lock
 * @throws BadConfig if the folder is not writable
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock.pid');
  try {
    mkdirSync(folder, { recursive: true });
    acquireLock(folder, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : cannotWrite(folder, code === 'ENOSPC' ? FULL : code);
  }
  return () => rmSync(file, { force: true });
}

function acquireLock(folder: string, file: string): void {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner !== process.pid && isAlive(owner)) throw new FolderInUse(folder, owner);
    writeFileSync(file, String(process.pid));
  }
}

const FULL = 'the disk is full';
/** The WASI error number, because the embedded database runs on WASI. */
const ENOSPC = 51;

/** File faults of the embedded database are not Errors and contain only a number. */
export const describeFileFault = (folder: string, fault: unknown): unknown => {
  const { errno } = (fault ?? {}) as { errno?: unknown };
  if (fault instanceof Error || errno === undefined) return fault;
  return cannotWrite(folder, errno === ENOSPC ? FULL : `error ${errno}`);
};

const cannotWrite = (folder: string, why: string) => new BadConfig(`DATA_DIR: ${folder} cannot be written (${why}).`);

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
