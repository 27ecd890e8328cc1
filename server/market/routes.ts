import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { readPeriod } from '#server/read-period.ts';
import { listMarket } from './assets/list-assets.ts';
import { listSpreads } from './assets/spread-sql.ts';
import { listCandles } from './candles/list-candles.ts';
import { getFeed } from './feeds/get-feed.ts';

export function mountMarket(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.market, {
    listMarket: async () => ({ feed: await getFeed(context), pairs: await listMarket(db) }),
    listCandles: async ({ params: { symbol }, query: { interval, ...period } }) =>
      listCandles(db, { symbol, interval, ...readPeriod(period) }),
    listSpreads: async () => ({ items: await listSpreads(db) }),
  });
}
