import { buildWeb } from './build.ts';

/** `npm start`: builds what is stale and serves; with the embedded database it comes with the demo world. */
if (!process.env.DATABASE_URL && !process.env.DEMO) process.env.DEMO = '1';
await buildWeb();
const { run } = await import('#server/main.ts');
await run();
