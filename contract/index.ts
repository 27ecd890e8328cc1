import { account } from './account.ts';
import { announcementDesk, announcements } from './announcements.ts';
import { audit } from './audit.ts';
import { backtest } from './backtest.ts';
import { consoleOverview } from './console.ts';
import { consoleAssets } from './console-assets.ts';
import { consoleFeePlans } from './console-fee-plans.ts';
import { consoleJobs } from './console-jobs.ts';
import { consoleLedger } from './console-ledger.ts';
import { consoleMembers } from './console-members.ts';
import { consoleAdjustments, consoleTreasury } from './console-proposals.ts';
import { consoleSessions } from './console-sessions.ts';
import type { Endpoint } from './endpoint.ts';
import { feePlanDryRun, feePlans } from './fee-plan.ts';
import { funds } from './funds.ts';
import { identity } from './identity.ts';
import { income } from './income.ts';
import { integrity } from './integrity.ts';
import { market } from './market.ts';
import { notify } from './notify.ts';
import { operator } from './operator.ts';
import { operatorAccounts } from './operator-accounts.ts';
import { operatorOpen } from './operator-open.ts';
import { payoutDesk } from './payout-desk.ts';
import { plans } from './plan.ts';
import { solvency } from './solvency.ts';
import { solvencySeal } from './solvency-seal.ts';
import { support, supportDesk } from './support.ts';
import { team } from './team.ts';
import { trading } from './trading.ts';
import { tradingHalt } from './trading-halt.ts';
import { withdrawals } from './withdrawals.ts';

/** The table of all calls, by domain: the single source for routes, client, OpenAPI and the generated tests. */
export const endpoints = {
  identity,
  account,
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
  integrity,
  funds,
  withdrawals,
  payoutDesk,
  support,
  supportDesk,
  operator,
  operatorOpen,
  consoleOverview,
  consoleMembers,
  consoleLedger,
  consoleAdjustments,
  consoleTreasury,
  consoleSessions,
  consoleAssets,
  consoleFeePlans,
  announcementDesk,
  consoleJobs,
  operatorAccounts,
  audit,
};

export const apiBase = '/api/v1';

/** Every row with its name, for tests and documents. */
export const allEndpoints: { name: string; row: Endpoint }[] = Object.entries(endpoints).flatMap(([domain, rows]) =>
  Object.entries(rows).map(([name, row]) => ({ name: `${domain}.${name}`, row: row as Endpoint })),
);
