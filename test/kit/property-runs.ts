import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Factor for the number of examples per property. */
    propertyScale: number;
  }
}

const USUAL = 100;

/** Examples of an unusually slow or fast property: `runs(40)` is 12 in `npm test` and 400 in `npm run test:full`. */
export const runs = (usual: number): number => Math.max(1, Math.ceil(usual * (inject('propertyScale') ?? 1)));

configureGlobal({ numRuns: runs(USUAL) });
