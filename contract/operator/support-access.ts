import { type Endpoint, type OperatorRole, operatorRoles } from '../endpoint.ts';
import { allEndpoints, type endpoints } from '../index.ts';

type Calls = {
  [Domain in keyof typeof endpoints]: {
    [Name in keyof (typeof endpoints)[Domain]]: {
      readonly name: `${Domain & string}.${Name & string}`;
      readonly row: (typeof endpoints)[Domain][Name];
    };
  }[keyof (typeof endpoints)[Domain]];
}[keyof typeof endpoints];
type Reading = Extract<Calls, { readonly row: { readonly method: 'GET' } }>;
type MemberReading = Extract<Reading, { readonly row: { readonly access: 'member' } }>['name'];
type ConsoleReading = Extract<Reading, { readonly row: { readonly access: readonly OperatorRole[] } }>['name'];

/**
 * The member's read calls allowed during support access (docs/product.md, section 8), each with the console calls that
 * show the same data. Only operators whose role may make all of those calls get a reply; null: nobody. A read call that
 * is missing here does not compile.
 */
export const supportAccessReadings: Readonly<Record<MemberReading, readonly ConsoleReading[] | null>> = {
  'identity.me': ['consoleMembers.getMemberPage'],
  'passkeys.listPasskeys': ['consoleMembers.getMemberPage'],
  'account.getSecurity': ['consoleMembers.getMemberPage'],
  'account.listSessions': ['consoleMembers.getMemberPage'],
  'account.listOpenings': ['audit.listAudit'],
  // The whole account at once, and it counts towards the member's limit.
  'account.exportData': null,
  // Notifications cover everything, including tickets.
  'notify.listNotifications': ['audit.listAudit', 'operatorTickets.getOperatorTicket'],
  'notify.getMailPreferences': ['consoleMembers.getMemberPage'],
  'announcements.listAnnouncements': ['operatorAnnouncements.listOperatorAnnouncements'],
  'trading.listTradable': ['consoleAssets.listAssets'],
  'trading.listTrades': ['consoleMembers.listTradesOf'],
  'trading.getTrade': ['consoleMembers.listTradesOf'],
  'trading.getPortfolio': ['consoleMembers.listTradesOf', 'consoleMembers.listMovementsOf'],
  'trading.getWalletBalance': ['consoleMembers.getMemberPage'],
  'trading.getWalletSummary': ['consoleMembers.getMemberPage'],
  'plans.listPlans': ['consoleMembers.listPlansOf'],
  'plans.getPlan': ['consoleMembers.listPlansOf', 'consoleMembers.listTradesOf'],
  'plans.listRedemptions': ['consoleMembers.listPlansOf'],
  'team.listReferrals': ['consoleMembers.findMembers', 'consoleMembers.getMemberPage'],
  'team.getTeam': ['consoleMembers.findMembers', 'consoleMembers.getMemberPage'],
  'income.getEarnings': ['consoleMembers.listMovementsOf'],
  'income.listTeamProfit': ['consoleMembers.listMovementsOf'],
  'income.listMonthly': ['consoleMembers.listMovementsOf'],
  'income.explainMonth': ['consoleMembers.listMovementsOf', 'consoleMembers.getMemberPage'],
  'income.listWeekly': ['consoleMembers.listMovementsOf'],
  'income.explainWeek': ['consoleMembers.listMovementsOf', 'consoleMembers.getMemberPage'],
  'income.listLines': ['consoleMembers.listMovementsOf'],
  'income.explainLine': ['consoleMembers.listMovementsOf', 'consoleMembers.getMemberPage'],
  'income.listRewards': ['consoleMembers.listMovementsOf', 'consoleMembers.getMemberPage'],
  'income.getPayout': ['consoleMembers.listMovementsOf', 'consoleSessions.getSessionDetail'],
  'solvency.getSolvency': ['consoleTreasury.getTreasury', 'consoleMembers.getMemberPage'],
  'solvencySeal.getOwnLeaf': ['consoleMembers.getMemberPage'],
  'reserves.listReserves': ['consoleReserves.listReserveProposals'],
  'solvencySeal.listOwnProofs': ['consoleMembers.getMemberPage'],
  'solvencySeal.getReported': ['consoleTreasury.getTreasury'],
  'funds.listDeposits': ['consoleMembers.listDepositsOf'],
  'funds.getDeposit': ['operatorPayouts.getOperatorDeposit'],
  'funds.getWallet': ['consoleMembers.getMemberPage'],
  'funds.listMovements': ['consoleMembers.listMovementsOf'],
  'funds.getStatement': ['consoleMembers.listMovementsOf'],
  // Emails a code.
  'withdrawals.sendOtp': null,
  'withdrawals.getWithdrawalTerms': ['consoleMembers.getMemberPage'],
  'withdrawals.getNetworkFee': ['operatorPayouts.getPayoutNetworkFee'],
  'withdrawals.listWithdrawals': ['consoleMembers.listWithdrawalsOf'],
  'withdrawals.getWithdrawal': ['operatorPayouts.getOperatorWithdrawal'],
  'support.listTickets': ['consoleMembers.listTicketsOf'],
  'support.getTicketThread': ['operatorTickets.getOperatorTicket'],
  'support.getAttachment': ['operatorTickets.getOperatorAttachment'],
};

const rowOf = new Map(allEndpoints.map(({ name, row }) => [name, row]));

const rolesOf = (readings: readonly ConsoleReading[]): readonly OperatorRole[] =>
  operatorRoles.filter((role) =>
    readings.every((name) => {
      const access = rowOf.get(name)?.access;
      return access !== undefined && typeof access !== 'string' && access.includes(role);
    }),
  );

const readersOf: ReadonlyMap<Endpoint | undefined, readonly OperatorRole[]> = new Map(
  Object.entries(supportAccessReadings).flatMap(([name, readings]) =>
    readings === null ? [] : [[rowOf.get(name), rolesOf(readings)] as const],
  ),
);

/**
 * Roles that may make a call during support access; undefined for a call outside support access.
 * `supportAccessReaders(support.getTicketThread)` is `['support', 'admin']`
 */
export const supportAccessReaders = (row: Endpoint): readonly OperatorRole[] | undefined => readersOf.get(row);
