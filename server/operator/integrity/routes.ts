import { integrity } from '#contract/operator/integrity.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { showSnapshot, takeAskedSnapshot } from '#server/solvency/index.ts';
import { askForCheck } from './check-integrity.ts';
import { getIntegrity } from './get-integrity.ts';

export function mountIntegrity(http: Http, context: Context): void {
  mount(http, integrity, {
    getIntegrity: () => getIntegrity(context.db),
    runIntegrity: ({ caller, address }) => askForCheck(context, { operatorId: caller.operatorId, address }),
    takeSnapshot: async ({ caller, address }) =>
      showSnapshot(await takeAskedSnapshot(context, { operatorId: caller.operatorId, address })),
  });
}
