import { fetchMarket } from './fetch-market.ts';

process.exitCode = await fetchMarket(process.argv.slice(2), process.env, process);
