import type { paths } from '../../web/src/ui/paths.ts';

/** The addresses under test of every page in the app's own table. The compiler reports a page without one. */
const strangers = {
  login: ['/'],
  loginAlias: ['/login'],
  register: ['/register', '/register?referralCode=TW7K3QMX9D'],
  forgotPassword: ['/forgot-password'],
  // Without the earlier steps they redirect; test/e2e/account.e2e.ts gets to the first one.
  verifyOtp: ['/verify-otp'],
  resetPassword: ['/reset-password'],
  notMe: ['/not-me', '/not-me#a-token-of-nobody'],
  // It verifies its token at once; web/src/features/confirm-admin tests an invalid one.
  confirmAdmin: ['/confirm-admin'],
  terms: ['/terms'],
  fees: ['/fees'],
} as const;

const members = {
  dashboard: ['/dashboard', '/dashboard?trade=btc'],
  symbol: ['/btc', '/unknowncoin'],
  profile: ['/profile'],
  portfolio: ['/portfolio'],
  trade: ['/trades/1'],
  fund: ['/fund'],
  deposit: ['/fund/deposits'],
  depositHistory: ['/fund/deposit-history'],
  withdrawal: ['/fund/withdrawal', '/fund/withdrawal?address'],
  withdrawalHistory: ['/fund/withdrawal-history', '/fund/withdrawal-history?withdrawal=1'],
  transactionHistory: ['/fund/transaction-history', '/fund/transaction-history?period=days&from=2026-01-01'],
  statement: ['/fund/statement'],
  plans: ['/fund/investments'],
  newPlan: ['/fund/investments/new'],
  plan: ['/fund/investments/1'],
  compoundingHistory: ['/fund/compounding-withdrawal-history'],
  backtest: ['/backtest'],
  referralBonus: ['/income/referral-bonus'],
  teamLevelBonus: ['/income/team-level-bonus'],
  tradeIncome: ['/income/trade-income'],
  weeklyIncome: ['/income/weekly-income'],
  monthlyIncome: ['/income/monthly-income'],
  teamProfit: ['/income/team-profit'],
  compoundingIncome: ['/income/compounding-income'],
  rewards: ['/rewards'],
  payout: ['/payout'],
  referralTeam: ['/team/referral-team'],
  levelTeam: ['/team/level-team'],
  teamAnalysis: ['/team/team-analysis'],
  query: ['/query', '/query?state=closed'],
  newQuery: ['/query/new', '/query/new?about=trade:1'],
  oneQuery: ['/query/1'],
  solvency: ['/solvency'],
  payment: ['/payment/success'],
  privacy: ['/privacy'],
  risk: ['/risk'],
} as const;

export const visits: Readonly<Record<keyof typeof paths, readonly string[]>> = { ...strangers, ...members };

/** Includes an unknown address. */
export const signedOutPages: readonly string[] = [...Object.values(strangers).flat(), '/nowhere/at/all'];
export const signedInPages: readonly string[] = Object.values(members).flat();

/** Two halves, for parallel browsers. */
const half = Math.ceil(signedInPages.length / 2);
export const firstSignedInPages = signedInPages.slice(0, half);
export const otherSignedInPages = signedInPages.slice(half);
