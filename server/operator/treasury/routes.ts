import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { about, deciderOf } from '../decision-call.ts';
import { approveTreasuryMove } from './approve-treasury-move.ts';
import { rejectTreasuryMove, withdrawTreasuryMove } from './end-treasury-move.ts';
import { getTreasury } from './get-treasury.ts';
import { listTreasuryMoves } from './list-treasury-moves.ts';
import { proposeTreasuryMove } from './propose-treasury-move.ts';
import { showTreasuryMove } from './show-treasury-moves.ts';
import type { TreasuryMoveRow } from './treasury-move-sql.ts';

export function mountConsoleTreasury(http: Http, context: Context): void {
  const show = async (decided: Promise<TreasuryMoveRow>) => showTreasuryMove(context.db, await decided);
  mount(http, endpoints.consoleTreasury, {
    getTreasury: () => getTreasury(context),
    listTreasuryMoves: ({ query }) => listTreasuryMoves(context, query),
    proposeTreasuryMove: (call) => proposeTreasuryMove(context, deciderOf(call), call.body, call.once),
    approveTreasuryMove: (call) => show(approveTreasuryMove(context, deciderOf(call), about(call))),
    rejectTreasuryMove: (call) => show(rejectTreasuryMove(context, deciderOf(call), about(call))),
    withdrawTreasuryMove: (call) => show(withdrawTreasuryMove(context, deciderOf(call), about(call))),
  });
}
