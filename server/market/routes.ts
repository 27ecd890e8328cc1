import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { Refused } from '#server/refused.ts';
import { listMarket } from './assets/list-assets.ts';
import { listSpreads } from './assets/spread-sql.ts';
import { listCandles } from './candles/list-candles.ts';
import { getFeed } from './feeds/get-feed.ts';

export function mountMarket(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.market, {
    listMarket: async () => ({ feed: await getFeed(context), pairs: await listMarket(db) }),
    listCandles: async ({ params: { symbol }, query: { interval, ...period } }) => {
      const from = period.from === undefined ? undefined : new Date(period.from);
      const to = period.to === undefined ? undefined : new Date(period.to);
      if (from !== undefined && to !== undefined && to < from) throw new Refused('period_turned');
      return listCandles(db, { symbol, interval, from, to });
    },
    listSpreads: async () => ({
      items: (await listSpreads(db)).map(({ symbol, spreadBps, nextBps }) => ({
        symbol,
        spread_bps: spreadBps,
        next_bps: nextBps,
      })),
    }),
  });
}
