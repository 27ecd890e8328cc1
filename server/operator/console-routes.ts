import { endpoints } from '#contract/index.ts';
import { type Context, onReserved } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { mountConsoleAnnouncements } from './announcements/routes.ts';
import { mountConsoleAssets } from './assets/routes.ts';
import { getOverview } from './get-overview.ts';
import { mountConsoleJobs } from './job-monitor/routes.ts';
import { mountConsoleLedger } from './ledger-explorer/routes.ts';
import { mountConsoleMembers } from './members/routes.ts';
import { mountConsoleSessions } from './sessions/routes.ts';

/**
 * The calls of the operators' console (docs/product.md, section 10), except those of the desks and of operators'
 * accounts.
 */
export function mountConsole(http: Http, context: Context): void {
  mount(http, endpoints.consoleOverview, { getOverview: () => getOverview(onReserved(context)) });
  mountConsoleMembers(http, context);
  mountConsoleLedger(http, context);
  mountConsoleSessions(http, context);
  mountConsoleAssets(http, context);
  mountConsoleAnnouncements(http, context);
  mountConsoleJobs(http, context);
}
