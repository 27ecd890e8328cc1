import { operatorOpen } from '#contract/accounts/impersonation.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { openMember } from './open-member.ts';

/** Where an operator begins to look at an account as its member sees it. */
export function mountOperatorOpen(http: Http, context: Context): void {
  mount(http, operatorOpen, {
    openMember: async ({ caller, params, body, address, userAgent }) => {
      const { accessToken, expiresAt } = await openMember(context, caller, {
        memberId: BigInt(params.id),
        reason: body.reason,
        address,
        userAgent,
      });
      return {
        access_token: accessToken,
        address: `${context.config.publicUrl ?? ''}/?accessToken=${accessToken}`,
        expires_at: expiresAt.toISOString(),
      };
    },
  });
}
