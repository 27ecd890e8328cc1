import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeDemoWorldIn } from './e2e/demo-place.ts';

declare module 'vitest' {
  interface ProvidedContext {
    demoPlace: string;
  }
}

/**
 * A place for the demo world, which takes half a minute to make. It is begun here, while tests that need no browser are
 * still running, so that no browser waits for it.
 */
export default function setup(project: TestProject) {
  const place = mkdtempSync(join(tmpdir(), 'tradewind-demo-'));
  project.provide('demoPlace', place);
  const made = makeDemoWorldIn(place);
  return async () => {
    await made;
    rmSync(place, { recursive: true, force: true });
  };
}
