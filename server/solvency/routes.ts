import { consoleTreasury } from '#contract/operator/proposals.ts';
import { solvencyHeads, solvencySeal } from '#contract/solvency/proof.ts';
import { consoleReserves, reserves } from '#contract/solvency/reserves.ts';
import { solvency } from '#contract/solvency/sheet.ts';
import { actorOf, proposalCalls } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getOwnLeaf, listOwnProofs } from './get-own-leaf.ts';
import { getReported } from './get-reported.ts';
import { getHeads, listHeads } from './heads/show-heads.ts';
import { getSnapshot, listSnapshots } from './list-snapshots.ts';
import { listReserves, proposeReserve, reserveKind } from './reserves/reserve-statement.ts';
import { showSolvency } from './show-solvency.ts';
import { getTreasury } from './treasury/get-treasury.ts';
import { proposeTreasuryMove, treasuryKind } from './treasury/treasury-move.ts';

export function mountSolvency(http: Http, context: Context): void {
  mount(http, solvency, { getSolvency: ({ caller }) => showSolvency(context, caller.memberId) });
  mount(http, solvencySeal, {
    getSnapshot: ({ query }) => getSnapshot(context, numberOf(query)),
    listSnapshots: ({ query }) => listSnapshots(context, query),
    getOwnLeaf: ({ caller, query }) => getOwnLeaf(context, caller.memberId, numberOf(query)),
    listOwnProofs: ({ caller }) => listOwnProofs(context, caller.memberId),
    getReported: () => getReported(context),
  });
  mount(http, solvencyHeads, {
    getHeads: () => getHeads(context),
    listHeads: ({ query }) => listHeads(context, query),
  });
}

const numberOf = ({ no }: { no?: string | undefined }) => (no === undefined ? undefined : BigInt(no));

export function mountReserves(http: Http, context: Context): void {
  mount(http, reserves, { listReserves: () => listReserves(context) });
  const { list, approve, reject, withdraw } = proposalCalls(context, reserveKind);
  mount(http, consoleReserves, {
    listReserveProposals: list,
    proposeReserve: (call) => proposeReserve(context, actorOf(call), call.body),
    approveReserve: approve,
    rejectReserve: reject,
    withdrawReserve: withdraw,
  });
}

export function mountTreasury(http: Http, context: Context): void {
  const { list, approve, reject, withdraw } = proposalCalls(context, treasuryKind);
  mount(http, consoleTreasury, {
    getTreasury: () => getTreasury(context),
    listTreasuryMoves: list,
    proposeTreasuryMove: (call) => proposeTreasuryMove(context, actorOf(call), call.body, call.once),
    approveTreasuryMove: approve,
    rejectTreasuryMove: reject,
    withdrawTreasuryMove: withdraw,
  });
}
