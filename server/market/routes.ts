import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { listMarket } from './assets/list-assets.ts';
import { listSpreads } from './assets/spread-sql.ts';
import { listCandles } from './candles/list-candles.ts';
import { getFeed } from './feeds/get-feed.ts';

export function mountMarket(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.market, {
    listMarket: async () => ({ feed: await getFeed(context), pairs: await listMarket(db) }),
    listCandles: async ({ params, query }) =>
      listCandles(db, {
        symbol: params.symbol,
        interval: query.interval,
        from: query.from === undefined ? undefined : new Date(query.from),
        to: query.to === undefined ? undefined : new Date(query.to),
      }),
    listSpreads: async () => ({
      items: (await listSpreads(db)).map(({ symbol, spreadBps, nextBps }) => ({
        symbol,
        spread_bps: spreadBps,
        next_bps: nextBps,
      })),
    }),
  });
}
