import { findCaller, mountEmailChanges, mountIdentity, mountOperators, type ProfileParts } from './accounts/index.ts';
import type { Context } from './context.ts';
import { mountFeePlans } from './fee-plans/index.ts';
import {
  closeMemberFunds,
  exportFunds,
  findAddress,
  forfeitRemainder,
  mountAdjustments,
  mountFunds,
  mountGatewayStatement,
  mountLoosenings,
  mountOperatorPayouts,
  mountPayPage,
  mountWithdrawals,
} from './funds/index.ts';
import { mountHealth } from './http/health.ts';
import { createHttp, type Http, type HttpOptions } from './http/server.ts';
import { type AppInfo, serveWeb } from './http/web-files.ts';
import { closeMemberIncomes, exportIncomes, mountIncome } from './income/index.ts';
import { listLanguages } from './languages.ts';
import { type Live, mountLive } from './live/index.ts';
import { mountMarket } from './market/index.ts';
import { hasOutbox, mountNotify, mountOutbox } from './notify/index.ts';
import { mountConsole, mountIntegrity } from './operator/index.ts';
import { moneyOf } from './refuse-mixed-money.ts';
import { mountReserves, mountSolvency, mountTreasury } from './solvency/index.ts';
import { closeMemberTickets, exportTickets, mountOperatorTickets, mountSupport } from './tickets/index.ts';
import { exportTrading, mountTrading, mountTradingConsole, refuseUnfinished } from './trading/index.ts';

/** Account parts of later domains. Runs and claims lock accounts last, so incomes close before the rest. */
export const accountParts = ({ db }: Context): ProfileParts => ({
  findAddress: (memberId) => findAddress(db, memberId),
  sections: (memberId) =>
    [exportTrading, exportIncomes, exportFunds, exportTickets].flatMap((sectionsOf) => sectionsOf(memberId)),
  closing: [closeMemberIncomes, refuseUnfinished, closeMemberFunds, closeMemberTickets],
  forfeit: forfeitRemainder,
});

export type AppOptions = HttpOptions & {
  /** The sign-ins of a demo world; null elsewhere. */
  readonly demo?: () => AppInfo['demo'];
  /** Serves live connections (startLive). Without it there are none, and pages poll. */
  readonly live?: Live;
};

/** Mounts the routes of every domain explicitly: this file is the list of what the server serves. */
export async function createApp(
  context: Context,
  { demo = () => null, live, ...options }: AppOptions = {},
): Promise<Http> {
  const http = await createHttp(context, (token, how) => findCaller(context, token, how), options);
  mountHealth(http);
  mountIdentity(http, context, accountParts(context));
  mountOperators(http, context);
  mountEmailChanges(http, context);
  mountNotify(http, context);
  mountOutbox(http, context);
  mountMarket(http, context);
  mountTrading(http, context);
  mountTradingConsole(http, context);
  mountFeePlans(http, context);
  mountIncome(http, context);
  mountFunds(http, context);
  mountWithdrawals(http, context);
  mountOperatorPayouts(http, context);
  mountGatewayStatement(http, context);
  mountAdjustments(http, context);
  mountLoosenings(http, context);
  mountPayPage(http, context);
  mountSupport(http, context);
  mountOperatorTickets(http, context);
  mountSolvency(http, context);
  mountTreasury(http, context);
  mountReserves(http, context);
  mountIntegrity(http, context);
  mountConsole(http, context);
  if (live !== undefined) mountLive(http, live);
  const { brandName, mode, payments, venue, supportEmail, legalEntity } = context.config;
  const languages = [...listLanguages(context.config.webDir).keys()];
  const outbox = hasOutbox(context.config);
  const money = moneyOf(context.config);
  const info = { brandName, mode, money, payments, venue, supportEmail, legalEntity, languages, outbox };
  await serveWeb(http, () => ({ ...info, demo: demo() }));
  return http;
}
