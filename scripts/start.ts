import { buildWeb } from './build.ts';

/**
 * `npm start`: builds what is stale and serves; with the embedded database it comes with the demo world, unless prices
 * are live, because its days of trading cannot be played in real time.
 */
const isLive = ['coingecko', 'ccxt'].includes(process.env.MARKET_FEED ?? '');
if (!process.env.DATABASE_URL && !process.env.DEMO && !isLive) process.env.DEMO = '1';
await buildWeb();
const { run } = await import('#server/main.ts');
await run();
