import { flushCompileCache } from 'node:module';
import { buildWebBeside } from './build.ts';

/**
 * `npm start`: builds what is stale while the database is made ready, and serves; with the embedded database it comes with the demo world, unless prices
 * are live, because its days of trading cannot be played in real time.
 */
const isLive = ['coingecko', 'ccxt'].includes(process.env.MARKET_FEED ?? '');
if (!process.env.DATABASE_URL && !process.env.DEMO && !isLive) process.env.DEMO = '1';
// A line for each request would push who can sign in out of the terminal's sight.
if (process.env.DEMO === '1') process.env.LOG_LEVEL ||= 'warn';
const webBuilt = buildWebBeside();
const { run } = await import('#server/main.ts');
await run(undefined, undefined, webBuilt);
// Now, so that the next start has it however this process ends.
flushCompileCache();
