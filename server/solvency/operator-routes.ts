import { endpoints } from '#contract/index.ts';
import { deciderOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getTreasury } from './treasury/get-treasury.ts';
import { proposeTreasuryMove, treasuryKind } from './treasury/treasury-move.ts';

export function mountTreasury(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, treasuryKind);
  mount(http, endpoints.consoleTreasury, {
    getTreasury: () => getTreasury(context),
    listTreasuryMoves: list,
    proposeTreasuryMove: (call) => proposeTreasuryMove(context, deciderOf(call), call.body, call.once),
    approveTreasuryMove: approve,
    rejectTreasuryMove: reject,
    withdrawTreasuryMove: withdraw,
  });
}
