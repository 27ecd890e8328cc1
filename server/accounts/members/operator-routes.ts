import { memberControls } from '#contract/operator/members.ts';
import { deciderOf } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { setMemberFrozen } from './set-member-frozen.ts';
import { tightenMemberLimits } from './tighten-member-limits.ts';

/** What operators do about a member's account at once. */
export function mountMemberControls(http: Http, context: Context): void {
  mount(http, memberControls, {
    setMemberFrozen: async (call) => {
      await setMemberFrozen(context, deciderOf(call), { ...call.body, memberId: BigInt(call.params.id) });
      return null;
    },
    tightenMemberLimits: (call) => tightenMemberLimits(context, deciderOf(call), BigInt(call.params.id), call.body),
  });
}
