import { solvencySeal } from '#contract/solvency/proof.ts';
import { solvency } from '#contract/solvency/sheet.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getOwnLeaf } from './get-own-leaf.ts';
import { getReported } from './get-reported.ts';
import { getSnapshot, listSnapshots } from './list-snapshots.ts';
import { showSolvency } from './show-solvency.ts';

export function mountSolvency(http: Http, context: Context): void {
  mount(http, solvency, { getSolvency: ({ caller }) => showSolvency(context, caller.memberId) });
  mount(http, solvencySeal, {
    getSnapshot: () => getSnapshot(context),
    listSnapshots: ({ query }) => listSnapshots(context, query),
    getOwnLeaf: ({ caller }) => getOwnLeaf(context, caller.memberId),
    getReported: () => getReported(context),
  });
}
