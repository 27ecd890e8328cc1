import { endpoints } from '#contract/index.ts';
import { type Context, onReserved } from '#server/context.ts';
import { mount } from '#server/http/mount.ts';
import type { Http } from '#server/http/server.ts';
import { mountConsoleAnnouncements } from './announcements/routes.ts';
import { mountAudit } from './audit/routes.ts';
import { getOverview } from './get-overview.ts';
import { mountConsoleJobs } from './job-monitor/routes.ts';
import { mountConsoleLedger } from './ledger-explorer/routes.ts';
import { mountConsoleMembers } from './members/routes.ts';
import { mountConsoleSessions } from './sessions/routes.ts';

/**
 * The calls of the operators' console (docs/product.md, section 10), that join several domains or look at the machine; all others stand in their own
 * domain.
 */
export function mountConsole(http: Http, context: Context): void {
  mount(http, endpoints.consoleOverview, { getOverview: () => getOverview(onReserved(context)) });
  mountConsoleMembers(http, context);
  mountConsoleLedger(http, context);
  mountConsoleSessions(http, context);
  mountAudit(http, context);
  mountConsoleAnnouncements(http, context);
  mountConsoleJobs(http, context);
}
