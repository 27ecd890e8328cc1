/**
 * Every address of the app (the specification, point 2), used by the router and all links. It is in ui/ because
 * features link to each other's pages without importing each other.
 */
export const paths = {
  login: '/',
  loginAlias: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  verifyOtp: '/verify-otp',
  resetPassword: '/reset-password',

  dashboard: '/dashboard',
  symbol: (symbol: string) => `/${symbol}`,
  profile: '/profile',
  portfolio: '/portfolio',
  trade: (id: string) => `/trades/${id}`,
  fund: '/fund',
  deposit: '/fund/deposits',
  depositHistory: '/fund/deposit-history',
  withdrawal: '/fund/withdrawal',
  withdrawalHistory: '/fund/withdrawal-history',
  transactionHistory: '/fund/transaction-history',
  statement: '/fund/statement',
  plans: '/fund/investments',
  newPlan: '/fund/investments/new',
  plan: (id: string) => `/fund/investments/${id}`,
  compoundingHistory: '/fund/compounding-withdrawal-history',
  backtest: '/backtest',
  referralBonus: '/income/referral-bonus',
  teamLevelBonus: '/income/team-level-bonus',
  tradeIncome: '/income/trade-income',
  weeklyIncome: '/income/weekly-income',
  monthlyIncome: '/income/monthly-income',
  teamProfit: '/income/team-profit',
  compoundingIncome: '/income/compounding-income',
  rewards: '/rewards',
  payout: '/payout',
  referralTeam: '/team/referral-team',
  levelTeam: '/team/level-team',
  teamAnalysis: '/team/team-analysis',
  query: '/query',
  newQuery: '/query/new',
  oneQuery: (id: string) => `/query/${id}`,
  solvency: '/solvency',
  payment: (status: string) => `/payment/${status}`,
  notMe: '/not-me',
  confirmAdmin: '/confirm-admin',

  terms: '/terms',
  privacy: '/privacy',
  risk: '/risk',
  fees: '/fees',
} as const;

/** The operators' console, whose pages are in features/console/pages.ts. */
export const operatorPaths = {
  console: '/operator',
  signIn: '/operator/sign-in',
  invitation: '/operator/invitation',
} as const;

/** A page of the console: `consolePath('withdrawals') === '/operator/withdrawals'`. */
export const consolePath = (path: string): string => `${operatorPaths.console}/${path}`;

/** Opens the trade dialog over the current page; `?trade=btc` preselects the asset. */
export const tradeSearch = (symbol?: string): string => (symbol === undefined ? '?trade' : `?trade=${symbol}`);
