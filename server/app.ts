import type { Context } from './context.ts';
import { findAddress, mountFunds, mountPayoutDesk, mountPayPage, mountWithdrawals } from './funds/index.ts';
import { mountHealth } from './http/health.ts';
import { createHttp, type Http } from './http/server.ts';
import { type AppInfo, serveWeb } from './http/web-files.ts';
import { findCaller, mountIdentity } from './identity/index.ts';
import { mountIncome } from './income/index.ts';
import { mountMarket } from './market/index.ts';
import { mountNotify } from './notify/index.ts';
import { mountOperator } from './operator/index.ts';
import { mountSupport, mountSupportDesk } from './support/index.ts';
import { mountBacktest, mountFeePlans, mountPlans, mountTrading } from './trading/index.ts';

/** Joins the HTTP edge and every domain's routes, by hand: this page is the list of what the server answers. */
export async function createApp(context: Context, demo: () => AppInfo['demo'] = () => null): Promise<Http> {
  const http = await createHttp(context, (token) => findCaller(context, token));
  mountHealth(http);
  mountIdentity(http, context, { findAddress: (memberId) => findAddress(context.db, memberId) });
  mountNotify(http, context);
  mountMarket(http, context);
  mountTrading(http, context);
  mountPlans(http, context);
  mountBacktest(http, context);
  mountFeePlans(http, context);
  mountIncome(http, context);
  mountFunds(http, context);
  mountWithdrawals(http, context);
  mountPayoutDesk(http, context);
  mountPayPage(http, context);
  mountSupport(http, context);
  mountSupportDesk(http, context);
  mountOperator(http, context);
  const { brandName, mode, payments, supportEmail } = context.config;
  await serveWeb(http, () => ({ brandName, mode, payments, supportEmail, demo: demo() }));
  return http;
}
