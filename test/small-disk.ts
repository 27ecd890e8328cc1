import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  /** Where it is mounted. */
  readonly folder: string;
  /** Takes all the room that is left. @returns gives it back */
  readonly fill: () => () => void;
  readonly remove: () => void;
};

const PIECE = Buffer.alloc(4096);

/** A disk of its own in memory, for what is to happen when it is full. Only who may mount has one (`mayMount`). */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tradewind-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tradewind', folder], { stdio: 'pipe' });
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => {
      fillUp(filler);
      return () => rmSync(filler, { force: true });
    },
    remove: () => {
      execFileSync('umount', [folder], { stdio: 'pipe' });
      rmSync(folder, { recursive: true });
    },
  };
}

function fillUp(file: string): void {
  const handle = openSync(file, 'w');
  try {
    while (true) writeSync(handle, PIECE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(handle);
  }
}

/** Root may, unless a container keeps it from mounting. */
export function mayMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
