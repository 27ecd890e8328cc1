import { operatorPasskeys } from './accounts/operator-passkeys.ts';
import { operator } from './accounts/operator-sign-in.ts';
import { operatorAccounts } from './accounts/operators.ts';
import { passkeySignIn, passkeys } from './accounts/passkey-calls.ts';
import { account } from './accounts/profile.ts';
import { identity } from './accounts/sign-in.ts';
import type { Endpoint } from './endpoint.ts';
import { feePlanDryRun, feePlans } from './fee-plan.ts';
import { funds } from './funds/deposits.ts';
import { operatorPayouts } from './funds/review.ts';
import { withdrawals } from './funds/withdrawals.ts';
import { income } from './income.ts';
import { market } from './market.ts';
import { notify } from './notify.ts';
import { announcements, operatorAnnouncements } from './operator/announcements.ts';
import { consoleLimits } from './operator/asset-limits.ts';
import { consoleAssets } from './operator/assets.ts';
import { audit } from './operator/audit.ts';
import { consoleEmailChanges } from './operator/email-changes.ts';
import { consoleFeePlans } from './operator/fee-plans.ts';
import { consoleGatewayStatement } from './operator/gateway-statement.ts';
import { integrity } from './operator/integrity.ts';
import { consoleJobs, outbox } from './operator/jobs.ts';
import { consoleLedger } from './operator/ledger.ts';
import { consoleLoosenings } from './operator/loosenings.ts';
import { consoleMembers, memberControls, operatorOpen } from './operator/members.ts';
import { consoleOverview } from './operator/overview.ts';
import { consoleAdjustments, consoleTreasury } from './operator/proposals.ts';
import { consoleSessions } from './operator/sessions.ts';
import { consoleStatement } from './operator/statement.ts';
import { consoleVenueFills } from './operator/venue-fills.ts';
import { solvencyHeads, solvencySeal } from './solvency/proof.ts';
import { consoleReserves, reserves } from './solvency/reserves.ts';
import { solvency } from './solvency/sheet.ts';
import { team } from './team.ts';
import { operatorTickets, support } from './tickets/tickets.ts';
import { backtest } from './trading/backtest.ts';
import { tradingHalt } from './trading/halt.ts';
import { plans } from './trading/plan.ts';
import { trading } from './trading/trading.ts';

/** The table of all calls, by domain: the single source for routes, client, OpenAPI and the generated tests. */
export const endpoints = {
  identity,
  account,
  passkeys,
  passkeySignIn,
  notify,
  announcements,
  market,
  trading,
  tradingHalt,
  plans,
  backtest,
  feePlans,
  team,
  income,
  feePlanDryRun,
  solvency,
  solvencySeal,
  reserves,
  solvencyHeads,
  integrity,
  funds,
  withdrawals,
  operatorPayouts,
  support,
  operatorTickets,
  operator,
  operatorPasskeys,
  operatorOpen,
  consoleOverview,
  consoleMembers,
  memberControls,
  outbox,
  consoleLedger,
  consoleAdjustments,
  consoleEmailChanges,
  consoleLoosenings,
  consoleTreasury,
  consoleVenueFills,
  consoleStatement,
  consoleGatewayStatement,
  consoleReserves,
  consoleSessions,
  consoleAssets,
  consoleLimits,
  consoleFeePlans,
  operatorAnnouncements,
  consoleJobs,
  operatorAccounts,
  audit,
};

export const apiBase = '/api/v1';

/** Every row with its name, for tests and documents. */
export const allEndpoints: { name: string; row: Endpoint }[] = Object.entries(endpoints).flatMap(([domain, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ name: `${domain}.${name}`, row: row as Endpoint })),
);
