import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { getFees, listFeePlans } from './find-fee-plans.ts';

export function mountFeePlans(http: Http, context: Context): void {
  const { db } = context;
  mount(http, endpoints.feePlans, {
    getFees: () => getFees(db),
    listFeePlans: () => listFeePlans(db),
  });
}
