import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { about, deciderOf } from '../decision-call.ts';
import type { AdjustmentRow } from './adjustment-sql.ts';
import { approveAdjustment } from './approve-adjustment.ts';
import { rejectAdjustment, withdrawAdjustment } from './end-adjustment.ts';
import { listAdjustments } from './list-adjustments.ts';
import { proposeAdjustment } from './propose-adjustment.ts';
import { showAdjustment } from './show-adjustments.ts';

export function mountConsoleAdjustments(http: Http, context: Context): void {
  const show = async (decided: Promise<AdjustmentRow>) => showAdjustment(context.db, await decided);
  mount(http, endpoints.consoleAdjustments, {
    listAdjustments: ({ query }) => listAdjustments(context, query),
    proposeAdjustment: (call) => proposeAdjustment(context, deciderOf(call), call.body, call.once),
    approveAdjustment: (call) => show(approveAdjustment(context, deciderOf(call), about(call))),
    rejectAdjustment: (call) => show(rejectAdjustment(context, deciderOf(call), about(call))),
    withdrawAdjustment: (call) => show(withdrawAdjustment(context, deciderOf(call), about(call))),
  });
}
