import { flushCompileCache } from 'node:module';
import { buildWebBeside } from './build.ts';

/** `npm start`: builds what is stale while the database starts, then serves. */
const webBuilt = buildWebBeside();
const { run } = await import('#server/main.ts');
await run(undefined, undefined, webBuilt);
// Flushed now, so that the next start has the cache however this process ends.
flushCompileCache();
