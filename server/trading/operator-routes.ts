import { endpoints } from '#contract/index.ts';
import { actorOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getFeed } from '#server/market/index.ts';
import { setSpread, switchAsset } from './assets/decide-asset.ts';
import { showAssets, showSpreadHistory } from './assets/show-assets.ts';
import { listUnsold, proposeVenueFill, venueFillKind } from './execution/sell-elsewhere.ts';
import { findActiveHalt, haltTrading, liftHalt, showHalt } from './halts/halt-trading.ts';
import { limitsKind, proposeLimits } from './limits/change-limits.ts';
import { requestImport } from './statement/import-statement.ts';
import { proposeSettlement, statementKind } from './statement/settle-finding.ts';
import { listFindings, showStatement } from './statement/show-statement.ts';

export function mountTradingConsole(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.tradingHalt, {
    getHalt: async () => {
      const active = await findActiveHalt(db);
      return { halt: active === undefined ? null : await showHalt(db, active) };
    },
    haltTrading: async (call) => showHalt(db, await haltTrading(context, actorOf(call), call.body.reason)),
    liftHalt: async (call) => showHalt(db, await liftHalt(context, actorOf(call), call.body)),
  });
  const { list, approve, reject, withdraw } = proposalCalls(context, limitsKind);
  mount(http, endpoints.consoleLimits, {
    listLimitChanges: list,
    proposeLimits: (call) => proposeLimits(context, actorOf(call), call.body, call.once),
    approveLimits: approve,
    rejectLimits: reject,
    withdrawLimits: withdraw,
  });
  mount(http, endpoints.consoleAssets, {
    listAssets: async () => ({ feed: await getFeed(context), items: await showAssets(context) }),
    listSpreadChanges: ({ params, query }) => showSpreadHistory(context, params.symbol, query),
    setAssetActive: (call) => switchAsset(context, actorOf(call), { ...call.body, ...call.params }),
    changeSpread: (call) => setSpread(context, actorOf(call), { ...call.body, ...call.params }),
  });
  const fills = proposalCalls(context, venueFillKind);
  mount(http, endpoints.consoleVenueFills, {
    listUnsold: () => listUnsold(context),
    listVenueFills: fills.list,
    proposeVenueFill: (call) => proposeVenueFill(context, actorOf(call), call.body, call.once),
    approveVenueFill: fills.approve,
    rejectVenueFill: fills.reject,
    withdrawVenueFill: fills.withdraw,
  });
  const settlements = proposalCalls(context, statementKind);
  mount(http, endpoints.consoleStatement, {
    getStatement: () => showStatement(context),
    importStatement: (call) => requestImport(context, actorOf(call)),
    listFindings: ({ query }) => listFindings(context, query),
    listSettlements: settlements.list,
    proposeSettlement: (call) => proposeSettlement(context, actorOf(call), call.body, call.once),
    approveSettlement: settlements.approve,
    rejectSettlement: settlements.reject,
    withdrawSettlement: settlements.withdraw,
  });
}
