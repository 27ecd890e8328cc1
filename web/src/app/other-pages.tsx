import './styles/mantine.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router';
import { colorSchemeKey, cssVariablesResolver, defaultColorScheme, theme } from '../ui/frame/theme.ts';
import { operatorPaths, paths } from '../ui/paths.ts';
import { SignedOutOnly } from './guards.tsx';
import { page } from './page.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { SignedInOnly } from './signed-in-only.tsx';

const Frame = page(async () => (await import('./shell/frame.tsx')).Frame);

const ConfirmAdmin = page(
  async () => (await import('../features/confirm-admin/confirm-admin-page.tsx')).ConfirmAdminPage,
);
const NotMe = page(async () => (await import('../features/withdrawals/not-me-page.tsx')).NotMePage);
const StatementPrint = page(
  async () => (await import('../features/funds/statement/statement-print-page.tsx')).StatementPrintPage,
);
const OperatorConsole = page(async () => (await import('../features/console/shell/console.tsx')).OperatorConsole);

const routesOf = (pages: readonly (readonly [path: string, load: () => Promise<ComponentType>])[]) =>
  pages.map(([path, load]) => {
    const Page = page(load);
    return <Route key={path} path={path} element={<Page />} />;
  });

const signedOutPages = routesOf([
  [paths.register, async () => (await import('../features/sign-in/register-page.tsx')).RegisterPage],
  [paths.forgotPassword, async () => (await import('../features/sign-in/forgot-password-page.tsx')).ForgotPasswordPage],
  [paths.verifyOtp, async () => (await import('../features/sign-in/verify-otp-page.tsx')).VerifyOtpPage],
  [paths.resetPassword, async () => (await import('../features/sign-in/reset-password-page.tsx')).ResetPasswordPage],
]);

const legalPages = routesOf([
  [paths.terms, async () => (await import('../features/info/terms-page.tsx')).TermsPage],
  [paths.privacy, async () => (await import('../features/info/privacy-page.tsx')).PrivacyPage],
  [paths.risk, async () => (await import('../features/info/risk-page.tsx')).RiskPage],
  [paths.fees, async () => (await import('../features/info/fees-page.tsx')).FeesPage],
]);

const memberPages = routesOf([
  [paths.dashboard, async () => (await import('./pages/dashboard.tsx')).DashboardPage],
  [paths.profile, async () => (await import('./pages/profile.tsx')).ProfileWithPanels],
  [paths.portfolio, async () => (await import('./pages/portfolio.tsx')).PortfolioPage],
  [paths.trade(':id'), async () => (await import('./pages/trade.tsx')).TradePage],
  [paths.backtest, async () => (await import('../features/backtest/backtest-page.tsx')).BacktestPage],
  [paths.fund, async () => (await import('../features/funds/assets-page.tsx')).AssetsPage],
  [paths.deposit, async () => (await import('../features/funds/deposits/deposit-page.tsx')).DepositPage],
  [
    paths.depositHistory,
    async () => (await import('../features/funds/deposits/deposit-history.tsx')).DepositHistoryPage,
  ],
  [paths.withdrawal, async () => (await import('../features/withdrawals/withdrawal-page.tsx')).WithdrawalPage],
  [
    paths.withdrawalHistory,
    async () => (await import('../features/withdrawals/withdrawal-history.tsx')).WithdrawalHistoryPage,
  ],
  [
    paths.transactionHistory,
    async () => (await import('../features/funds/statement/transaction-history-page.tsx')).TransactionHistoryPage,
  ],
  [paths.plans, async () => (await import('../features/plans/plans-page.tsx')).PlansPage],
  [paths.newPlan, async () => (await import('../features/plans/new-plan-page.tsx')).NewPlanPage],
  [paths.plan(':id'), async () => (await import('../features/plans/plan-page.tsx')).PlanPage],
  [
    paths.compoundingHistory,
    async () => (await import('../features/plans/compounding-history-page.tsx')).CompoundingHistoryPage,
  ],
  [paths.referralTeam, async () => (await import('../features/team/referral-team-page.tsx')).ReferralTeamPage],
  [paths.levelTeam, async () => (await import('../features/team/level-team-page.tsx')).LevelTeamPage],
  [paths.teamAnalysis, async () => (await import('../features/team/team-analysis-page.tsx')).TeamAnalysisPage],
  [paths.referralBonus, async () => (await import('../features/income/bonus-page.tsx')).ReferralBonusPage],
  [paths.teamLevelBonus, async () => (await import('../features/income/bonus-page.tsx')).TeamLevelBonusPage],
  [paths.tradeIncome, async () => (await import('../features/income/result-page.tsx')).TradeIncomePage],
  [paths.weeklyIncome, async () => (await import('../features/income/weekly-page.tsx')).WeeklyPage],
  [paths.monthlyIncome, async () => (await import('../features/income/monthly-page.tsx')).MonthlyPage],
  [paths.teamProfit, async () => (await import('../features/income/bonus-page.tsx')).TeamProfitPage],
  [paths.compoundingIncome, async () => (await import('../features/income/result-page.tsx')).CompoundingIncomePage],
  [paths.rewards, async () => (await import('../features/income/rewards-page.tsx')).RewardsPage],
  [paths.payout, async () => (await import('../features/income/payout-page.tsx')).PayoutPage],
  [paths.query, async () => (await import('../features/tickets/query-page.tsx')).QueryPage],
  [paths.newQuery, async () => (await import('../features/tickets/new-query-page.tsx')).NewQueryPage],
  [paths.oneQuery(':id'), async () => (await import('../features/tickets/thread-page.tsx')).ThreadPage],
  [paths.solvency, async () => (await import('../features/solvency/solvency-page.tsx')).SolvencyPage],
  [paths.payment(':status'), async () => (await import('../features/funds/deposits/payment-page.tsx')).PaymentPage],
  [paths.symbol(':symbol'), async () => (await import('./pages/symbol.tsx')).SymbolPage],
]);

const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey });

/** All routes except the login page, inside the component library, which that page does without. */
export function OtherPages() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={defaultColorScheme}
      // All variables come with the script, and not a second time as a style sheet.
      deduplicateCssVariables={false}
    >
      <Routes>
        <Route element={<SignedOutOnly />}>{signedOutPages}</Route>
        <Route path={paths.notMe} element={<NotMe />} />
        <Route path={paths.confirmAdmin} element={<ConfirmAdmin />} />
        <Route path={`${operatorPaths.console}/*`} element={<OperatorConsole />} />
        {/* Printed pages have no menu. */}
        <Route element={<SignedInOnly />}>
          <Route path={paths.statement} element={<StatementPrint />} />
        </Route>
        <Route element={<Frame />}>
          {legalPages}
          <Route element={<SignedInOnly />}>{memberPages}</Route>
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </MantineProvider>
  );
}
