/**
 * The table of all calls, by domain: the single source for routes, client, OpenAPI and the generated tests. Pages
 * import the domains that they call. Types are complete, but in the built app a row is only `{ method, path, access,
 * idempotent }`: the build replaces this module (web/build/light-endpoints.ts) to keep schemas and zod out of the
 * browser, since the server validates.
 */
export { operatorPasskeys } from './accounts/operator-passkeys.ts';
export { operator } from './accounts/operator-sign-in.ts';
export { operatorAccounts } from './accounts/operators.ts';
export { passkeySignIn, passkeys } from './accounts/passkey-calls.ts';
export { account } from './accounts/profile.ts';
export { identity } from './accounts/sign-in.ts';
export { feePlanDryRun, feePlans } from './fee-plan.ts';
export { funds } from './funds/deposits.ts';
export { operatorPayouts } from './funds/review.ts';
export { withdrawals } from './funds/withdrawals.ts';
export { income } from './income.ts';
export { market } from './market.ts';
export { notify } from './notify.ts';
export { announcements, operatorAnnouncements } from './operator/announcements.ts';
export { consoleLimits } from './operator/asset-limits.ts';
export { consoleAssets } from './operator/assets.ts';
export { audit } from './operator/audit.ts';
export { consoleEmailChanges } from './operator/email-changes.ts';
export { consoleFeePlans } from './operator/fee-plans.ts';
export { consoleGatewayStatement } from './operator/gateway-statement.ts';
export { integrity } from './operator/integrity.ts';
export { consoleJobs, outbox } from './operator/jobs.ts';
export { consoleLedger } from './operator/ledger.ts';
export { consoleLoosenings } from './operator/loosenings.ts';
export { consoleMembers, memberControls, operatorOpen } from './operator/members.ts';
export { consoleOverview } from './operator/overview.ts';
export { consoleAdjustments, consoleTreasury } from './operator/proposals.ts';
export { consoleSessions } from './operator/sessions.ts';
export { consoleStatement } from './operator/statement.ts';
export { consoleVenueFills } from './operator/venue-fills.ts';
export { solvencyHeads, solvencySeal } from './solvency/proof.ts';
export { consoleReserves, reserves } from './solvency/reserves.ts';
export { solvency } from './solvency/sheet.ts';
export { team } from './team.ts';
export { operatorTickets, support } from './tickets/tickets.ts';
export { backtest } from './trading/backtest.ts';
export { tradingHalt } from './trading/halt.ts';
export { plans } from './trading/plan.ts';
export { trading } from './trading/trading.ts';

export const apiBase = '/api/v1';
