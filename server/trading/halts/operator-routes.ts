import { endpoints } from '#contract/index.ts';
import type { Halt } from '#contract/trading/halt.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { findStandingHalt, type HaltRow } from './halt-sql.ts';
import { haltTrading, liftHalt, showHalts } from './halt-trading.ts';

export function mountTradingHalt(http: Http, context: Context): void {
  const { db } = context;
  const show = async (row: HaltRow): Promise<Halt> => {
    const [shown] = await showHalts(db, [row]);
    return shown as Halt;
  };
  mount(http, endpoints.tradingHalt, {
    getHalt: async () => {
      const standing = await findStandingHalt(db);
      return { halt: standing === undefined ? null : await show(standing) };
    },
    haltTrading: async (call) => show(await haltTrading(context, deciderOf(call), call.body.reason)),
    liftHalt: async (call) => show(await liftHalt(context, deciderOf(call), call.body)),
  });
}
