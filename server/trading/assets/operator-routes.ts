import { endpoints } from '#contract/index.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getFeed } from '#server/market/index.ts';
import { setSpread, switchAsset } from './decide-asset.ts';
import { showAssets, showSpreadHistory } from './show-assets.ts';

export function mountAssetDesk(http: Http, context: Context): void {
  const { db, config } = context;
  mount(http, endpoints.consoleAssets, {
    listAssets: async () => ({ feed: await getFeed(db, config), items: await showAssets(db) }),
    listSpreadChanges: ({ params, query }) => showSpreadHistory(context, params.symbol, query),
    setAssetActive: (call) => switchAsset(context, deciderOf(call), { ...call.body, ...call.params }),
    changeSpread: (call) => setSpread(context, deciderOf(call), { ...call.body, ...call.params }),
  });
}
