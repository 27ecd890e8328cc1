import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    demoPlace: string;
  }
}

/** A place for the demo world, which takes half a minute to make: whoever needs it first makes it (e2e/demo-world.ts). */
export default function setup(project: TestProject) {
  const place = mkdtempSync(join(tmpdir(), 'tradewind-demo-'));
  project.provide('demoPlace', place);
  return () => rmSync(place, { recursive: true, force: true });
}
