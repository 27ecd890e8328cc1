import './styles/mantine.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Route, Routes } from 'react-router';
import { colorSchemeKey, cssVariablesResolver, defaultColorScheme, theme } from '../ui/frame/theme.ts';
import { operatorPaths, paths } from '../ui/paths.ts';
import { SignedOutOnly } from './guards.tsx';
import { page } from './page.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { SignedInOnly } from './signed-in-only.tsx';

const Frame = page(async () => (await import('./shell/frame.tsx')).Frame);

const Register = page(async () => (await import('../features/sign-in/register-page.tsx')).RegisterPage);
const ForgotPassword = page(
  async () => (await import('../features/sign-in/forgot-password-page.tsx')).ForgotPasswordPage,
);
const VerifyOtp = page(async () => (await import('../features/sign-in/verify-otp-page.tsx')).VerifyOtpPage);
const ResetPassword = page(async () => (await import('../features/sign-in/reset-password-page.tsx')).ResetPasswordPage);

const Terms = page(async () => (await import('../features/info/terms-page.tsx')).TermsPage);
const Privacy = page(async () => (await import('../features/info/privacy-page.tsx')).PrivacyPage);
const Risk = page(async () => (await import('../features/info/risk-page.tsx')).RiskPage);
const Fees = page(async () => (await import('../features/info/fees-page.tsx')).FeesPage);

const Dashboard = page(async () => (await import('./pages/dashboard.tsx')).DashboardPage);
const SymbolDetail = page(async () => (await import('./pages/symbol.tsx')).SymbolPage);
const Profile = page(async () => (await import('./pages/profile.tsx')).ProfileWithPanels);
const Portfolio = page(async () => (await import('./pages/portfolio.tsx')).PortfolioPage);
const OneTrade = page(async () => (await import('./pages/trade.tsx')).TradePage);
const Backtest = page(async () => (await import('./pages/backtest.tsx')).BacktestWithNote);
const Assets = page(async () => (await import('../features/funds/assets-page.tsx')).AssetsPage);
const Deposit = page(async () => (await import('../features/funds/deposits/deposit-page.tsx')).DepositPage);
const DepositHistory = page(
  async () => (await import('../features/funds/deposits/deposit-history.tsx')).DepositHistoryPage,
);
const Withdraw = page(async () => (await import('../features/withdrawals/withdrawal-page.tsx')).WithdrawalPage);
const WithdrawalHistory = page(
  async () => (await import('../features/withdrawals/withdrawal-history.tsx')).WithdrawalHistoryPage,
);
const ConfirmAdmin = page(
  async () => (await import('../features/confirm-admin/confirm-admin-page.tsx')).ConfirmAdminPage,
);
const NotMe = page(async () => (await import('../features/withdrawals/not-me-page.tsx')).NotMePage);
const TransactionHistory = page(
  async () => (await import('../features/funds/statement/transaction-history-page.tsx')).TransactionHistoryPage,
);
const StatementPrint = page(
  async () => (await import('../features/funds/statement/statement-print-page.tsx')).StatementPrintPage,
);
const Plans = page(async () => (await import('./pages/plans.tsx')).PlansWithNote);
const NewPlan = page(async () => (await import('../features/plans/new-plan-page.tsx')).NewPlanPage);
const OnePlan = page(async () => (await import('./pages/plans.tsx')).PlanWithNote);
const CompoundingHistory = page(async () => (await import('./pages/plans.tsx')).CompoundingHistoryWithNote);
const ReferralTeam = page(async () => (await import('../features/team/referral-team-page.tsx')).ReferralTeamPage);
const LevelTeam = page(async () => (await import('../features/team/level-team-page.tsx')).LevelTeamPage);
const TeamAnalysis = page(async () => (await import('../features/team/team-analysis-page.tsx')).TeamAnalysisPage);
const ReferralBonus = page(async () => (await import('../features/income/bonus-page.tsx')).ReferralBonusPage);
const TeamLevelBonus = page(async () => (await import('../features/income/bonus-page.tsx')).TeamLevelBonusPage);
const TeamProfit = page(async () => (await import('../features/income/bonus-page.tsx')).TeamProfitPage);
const WeeklyIncome = page(async () => (await import('../features/income/weekly-page.tsx')).WeeklyPage);
const MonthlyIncome = page(async () => (await import('../features/income/monthly-page.tsx')).MonthlyPage);
const TradeIncome = page(async () => (await import('./pages/trade-income.tsx')).TradeIncomePage);
const CompoundingIncome = page(async () => (await import('./pages/trade-income.tsx')).CompoundingIncomePage);
const Payout = page(async () => (await import('./pages/payout.tsx')).PayoutWithNote);
const Rewards = page(async () => (await import('../features/income/rewards-page.tsx')).RewardsPage);
const Queries = page(async () => (await import('../features/tickets/query-page.tsx')).QueryPage);
const NewQuery = page(async () => (await import('../features/tickets/new-query-page.tsx')).NewQueryPage);
const OneQuery = page(async () => (await import('../features/tickets/thread-page.tsx')).ThreadPage);
const Solvency = page(async () => (await import('../features/solvency/solvency-page.tsx')).SolvencyPage);
const OperatorConsole = page(async () => (await import('../features/console/shell/console.tsx')).OperatorConsole);
const Payment = page(async () => (await import('../features/funds/deposits/payment-page.tsx')).PaymentPage);

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
        <Route element={<SignedOutOnly />}>
          <Route path={paths.register} element={<Register />} />
          <Route path={paths.forgotPassword} element={<ForgotPassword />} />
          <Route path={paths.verifyOtp} element={<VerifyOtp />} />
          <Route path={paths.resetPassword} element={<ResetPassword />} />
        </Route>
        <Route path={paths.notMe} element={<NotMe />} />
        <Route path={paths.confirmAdmin} element={<ConfirmAdmin />} />
        <Route path={`${operatorPaths.console}/*`} element={<OperatorConsole />} />
        {/* Printed pages have no menu. */}
        <Route element={<SignedInOnly />}>
          <Route path={paths.statement} element={<StatementPrint />} />
        </Route>
        <Route element={<Frame />}>
          <Route path={paths.terms} element={<Terms />} />
          <Route path={paths.privacy} element={<Privacy />} />
          <Route path={paths.risk} element={<Risk />} />
          <Route path={paths.fees} element={<Fees />} />
          <Route element={<SignedInOnly />}>
            <Route path={paths.dashboard} element={<Dashboard />} />
            <Route path={paths.profile} element={<Profile />} />
            <Route path={paths.portfolio} element={<Portfolio />} />
            <Route path={paths.trade(':id')} element={<OneTrade />} />
            <Route path={paths.backtest} element={<Backtest />} />
            <Route path={paths.fund} element={<Assets />} />
            <Route path={paths.deposit} element={<Deposit />} />
            <Route path={paths.depositHistory} element={<DepositHistory />} />
            <Route path={paths.withdrawal} element={<Withdraw />} />
            <Route path={paths.withdrawalHistory} element={<WithdrawalHistory />} />
            <Route path={paths.transactionHistory} element={<TransactionHistory />} />
            <Route path={paths.plans} element={<Plans />} />
            <Route path={paths.newPlan} element={<NewPlan />} />
            <Route path={paths.plan(':id')} element={<OnePlan />} />
            <Route path={paths.compoundingHistory} element={<CompoundingHistory />} />
            <Route path={paths.referralTeam} element={<ReferralTeam />} />
            <Route path={paths.levelTeam} element={<LevelTeam />} />
            <Route path={paths.teamAnalysis} element={<TeamAnalysis />} />
            <Route path={paths.referralBonus} element={<ReferralBonus />} />
            <Route path={paths.teamLevelBonus} element={<TeamLevelBonus />} />
            <Route path={paths.tradeIncome} element={<TradeIncome />} />
            <Route path={paths.weeklyIncome} element={<WeeklyIncome />} />
            <Route path={paths.monthlyIncome} element={<MonthlyIncome />} />
            <Route path={paths.teamProfit} element={<TeamProfit />} />
            <Route path={paths.compoundingIncome} element={<CompoundingIncome />} />
            <Route path={paths.rewards} element={<Rewards />} />
            <Route path={paths.payout} element={<Payout />} />
            <Route path={paths.query} element={<Queries />} />
            <Route path={paths.newQuery} element={<NewQuery />} />
            <Route path={paths.oneQuery(':id')} element={<OneQuery />} />
            <Route path={paths.solvency} element={<Solvency />} />
            <Route path={paths.payment(':status')} element={<Payment />} />
            <Route path={paths.symbol(':symbol')} element={<SymbolDetail />} />
          </Route>
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Routes>
    </MantineProvider>
  );
}
