import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** How many examples a property is tried on, against what it usually is. */
    propertyScale: number;
  }
}

const USUAL = 100;

/** Examples for a property that costs more, or less, than most: `runs(40)` is 12 in `npm test` and 400 in `npm run test:full`. */
export const runs = (usual: number): number => Math.max(1, Math.ceil(usual * (inject('propertyScale') ?? 1)));

configureGlobal({ numRuns: runs(USUAL) });
