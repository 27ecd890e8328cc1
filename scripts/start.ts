import { flushCompileCache } from 'node:module';
import { buildWebBeside } from './build.ts';

/** `npm start`: builds what is stale while the database is made ready, and serves. */
const webBuilt = buildWebBeside();
const { run } = await import('#server/main.ts');
await run(undefined, undefined, webBuilt);
// Now, so that the next start has it however this process ends.
flushCompileCache();
