import { endpoints } from '#contract/index.ts';
import type { Context } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { runBacktest } from './run-backtest.ts';

export function mountBacktest(http: Http, context: Context): void {
  mount(http, endpoints.backtest, {
    runBacktest: ({ caller, body }) => runBacktest(context, caller.memberId, body),
  });
}
