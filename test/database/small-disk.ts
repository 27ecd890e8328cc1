import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  /** The mount point. */
  readonly folder: string;
  /** Fills the remaining space. @returns a function that frees it */
  readonly fill: () => () => void;
  readonly remove: () => void;
};

const PIECE = Buffer.alloc(4096);

/** A separate disk in memory, for tests of a full disk. Requires permission to mount (`mayMount`). */
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

/** Root may, unless a container forbids it. */
export function mayMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
