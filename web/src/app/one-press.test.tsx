import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { anOperatorWithdrawal, aroundThePage, signInAs, typeCode } from '../../test/console.ts';
import { theFees, theSpreads } from '../../test/fees.ts';
import { aRank, months } from '../../test/incomes.ts';
import { aPlan, aSession } from '../../test/plans.ts';
import { onRoute, renderAt } from '../../test/render.tsx';
import { stubServer, success } from '../../test/server.ts';
import { aTrade } from '../../test/trades.ts';
import { aWithdrawal } from '../../test/withdrawals.ts';
import { AdjustmentsPage } from '../features/console/adjustments/adjustments-page.tsx';
import { WithdrawalsPage } from '../features/console/withdrawals/withdrawals-page.tsx';
import { DepositForm } from '../features/funds/deposits/deposit-form.tsx';
import { RewardsPage } from '../features/income/rewards-page.tsx';
import { NewPlanPage } from '../features/plans/new-plan-page.tsx';
import { PlanPage } from '../features/plans/plan-page.tsx';
import { OpenTrades } from '../features/trading/open-trades.tsx';
import { QueuedTrades } from '../features/trading/queued-trades.tsx';
import { TradeDialog } from '../features/trading/trade-dialog.tsx';
import { WithdrawCode } from '../features/withdrawals/withdrawal-page.tsx';
import { currentToasts, toast } from '../ui/frame/toast.ts';

type Family = {
  at: string;
  page: ReactNode;
  answers: Parameters<typeof stubServer>[0];
  /** The call that moves money. */
  moves: string;
  /** Prepares the form and returns the button that submits it. */
  ready: () => Promise<HTMLElement>;
};

const noop = () => undefined;
const list = (...items: unknown[]) => success({ items, next_cursor: null });
const forTrading = {
  'GET /trade': success([{ id: 'btc', name: 'btc/usdt', logo: '', percentage: 1 }]),
  'GET /auth/wallet-balance': success({ primary_wallet: 1000, profit_wallet: 40 }),
  'GET /market': success({ pairs: [], feed: {} }),
  'GET /trading/session': aSession(),
  'GET /fees': theFees(),
  'GET /market/spreads': theSpreads({}),
};

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const inDialog = async (name: string | RegExp) =>
  within(await screen.findByRole('dialog')).getByRole('button', { name });
/** Presses the button that opens the dialog, and returns the button in it that acts. */
const afterAsking = async (asks: string | RegExp, does: string | RegExp) => {
  fireEvent.click(await button(asks));
  return inDialog(does);
};
const fill = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });

const trading: Record<string, Family> = {
  trade: {
    at: '/dashboard',
    page: <ClosingTradeDialog />,
    answers: { ...forTrading, 'POST /trading/do-trade': success(aTrade()) },
    moves: 'POST /trading/do-trade',
    ready: readyToTrade,
  },
  'trade, while its address still changes': {
    at: '/dashboard',
    page: <TradeDialog opened onClose={noop} symbol="btc" />,
    answers: { ...forTrading, 'POST /trading/do-trade': success(aTrade()) },
    moves: 'POST /trading/do-trade',
    ready: readyToTrade,
  },
  'close now': {
    at: '/dashboard',
    page: <OpenTrades title="Open trades" />,
    answers: {
      ...forTrading,
      'GET /trading/fetch-user-trade': list(aTrade()),
      'POST /trading/7/close': success(aTrade({ closing: true })),
    },
    moves: 'POST /trading/7/close',
    ready: () => afterAsking('Close now: btc/usdt, $1,000.00', /Close now/),
  },
  'cancel a queued trade': {
    at: '/dashboard',
    page: <QueuedTrades />,
    answers: {
      ...forTrading,
      'GET /trading/fetch-user-trade': list(aTrade({ state: 'queued', live: null })),
      'POST /trading/7/cancel': success(aTrade({ state: 'cancelled' })),
    },
    moves: 'POST /trading/7/cancel',
    ready: () => button('Cancel trade in btc/usdt, $1,000.00'),
  },
  'create a plan': {
    at: '/fund/investments/new',
    page: <NewPlanPage />,
    answers: { ...forTrading, 'POST /trading/plans': success(aPlan()) },
    moves: 'POST /trading/plans',
    ready: async () => {
      for (const name of [/btc/, /Session hold/, /Reinvest gains/]) {
        fireEvent.click(await screen.findByRole('radio', { name }));
      }
      fill('Amount', '250');
      const create = await button(/Create plan/);
      await waitFor(() => expect(create).toHaveProperty('disabled', false));
      return create;
    },
  },
  'redeem a plan': {
    at: '/fund/investments/3',
    page: onRoute('/fund/investments/:id', <PlanPage />),
    answers: {
      ...forTrading,
      'GET /trading/plans/3': success({ plan: aPlan(), events: [], decisions: [] }),
      'POST /trading/plans/3/redeem': success(aPlan()),
    },
    moves: 'POST /trading/plans/3/redeem',
    ready: () => afterAsking('Redeem', /^Redeem/),
  },
};

const ofFunds: Record<string, Family> = {
  deposit: {
    at: '/fund/deposits',
    page: (
      <DepositForm
        isKnown
        requiresRisk={false}
        payWith={[]}
        ownWeek={undefined}
        onStarted={() => toast.success('Started')}
      />
    ),
    answers: { 'POST /secure/create': success({ id: '7' }) },
    moves: 'POST /secure/create',
    ready: async () => {
      fill('Amount in USDT', '500');
      return button('Start deposit');
    },
  },
  withdrawal: {
    at: '/fund/withdrawal',
    page: (
      <WithdrawCode
        asked={{ network: 'TRC20', address: 'TKq8', amount: 500, fee: 5, net: 495, walletType: 'primary' }}
        code={{
          sentTo: 'a•••@example.com',
          expiresAt: '2099-03-04T12:00:00Z',
          resendAt: '2099-03-04T12:00:00Z',
          delayed: false,
        }}
        isResending={false}
        onSendAgain={noop}
        onBack={noop}
        onRequested={noop}
      />
    ),
    answers: { 'POST /safe/withdrawal': success(aWithdrawal()) },
    moves: 'POST /safe/withdrawal',
    ready: async () => {
      typeCode(document.body);
      return button('Withdraw $500.00');
    },
  },
  'claim a reward': {
    at: '/rewards',
    page: <RewardsPage />,
    answers: {
      'GET /safe/fetch-sir-reward': success({
        period: '2026-03',
        ranks: [aRank({ state: 'claimable', reached: 5000, month: '2026-02' })],
        volume: 9_000,
        pool: 100,
        waiting: 0,
        waiting_amount: 0,
        leg_cap: 60,
      }),
      'GET /bounus/monthly-salary': months(),
      'POST /safe/claim-reward': success(aRank({ state: 'paid' })),
    },
    moves: 'POST /safe/claim-reward',
    ready: () => afterAsking('Claim the Bronze reward', /^Claim/),
  },
};

const inConsole = (path: string, page: ReactNode) => onRoute(`/operator/${path}/*`, page);
const decision = (name: string) => async () => {
  const confirm = await afterAsking(name, name);
  const reason = screen.queryByLabelText('Reason');
  if (reason) fireEvent.change(reason, { target: { value: 'Came an hour late.' } });
  typeCode(document.body);
  return confirm;
};

const ofOperators: Record<string, Family> = {
  'approve a withdrawal': {
    at: '/operator/withdrawals/7',
    page: inConsole('withdrawals', <WithdrawalsPage />),
    answers: {
      ...aroundThePage(),
      'GET /operator/withdrawals': list(anOperatorWithdrawal()),
      'GET /operator/withdrawals/7': success(anOperatorWithdrawal()),
      'POST /operator/withdrawals/7/approve': success(anOperatorWithdrawal()),
    },
    moves: 'POST /operator/withdrawals/7/approve',
    ready: decision('Approve'),
  },
  'propose an adjustment': {
    at: '/operator/adjustments',
    page: inConsole('adjustments', <AdjustmentsPage />),
    answers: {
      ...aroundThePage(),
      'GET /operator/adjustments': list(),
      'GET /operator/members': success({ items: [{ id: '41', found_by: 'referral_code' }] }),
      'POST /operator/adjustments': success({}),
    },
    moves: 'POST /operator/adjustments',
    ready: async () => {
      const propose = await afterAsking('Propose adjustment', 'Propose adjustment');
      fill('Registered Id', 'TWB8Q7YD4E');
      fill('Amount', '12.5');
      fill('Reason', 'Credited twice.');
      fill('Evidence', 'Q-4F71K2');
      return propose;
    },
  },
};

/** Fades out when the trade is placed, as when the address changes at once. */
function ClosingTradeDialog() {
  const [isOpen, setOpen] = useState(true);
  return <TradeDialog opened={isOpen} onClose={() => setOpen(false)} symbol="btc" />;
}

async function readyToTrade() {
  await screen.findByRole('radio', { name: /btc/ });
  fill('Amount', '50');
  const tradeNow = screen.getByRole('button', { name: /Trade Now/ });
  await waitFor(() => expect(tradeNow).toHaveProperty('disabled', false));
  return tradeNow;
}

/** Lets pending requests and renders finish, over three turns of the event loop. */
const turns = () =>
  act(async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setTimeout(done));
  });

test.each(Object.entries({ ...trading, ...ofFunds, ...ofOperators }))(
  '%s: one press sends one request, and a second press while the form is still visible sends none',
  async (_name, { at, page, answers, moves, ready }) => {
    signInAs();
    const calls = stubServer(answers);
    renderAt(at, page, { fading: true });
    const press = await ready();
    const sent = () => calls.filter(({ name }) => name === moves);

    fireEvent.click(press);
    await waitFor(() => expect(currentToasts().map(({ tone }) => tone)).not.toEqual([]));
    await turns();
    expect(sent()).toHaveLength(1);
    // Without this the second press would prove nothing.
    expect(press.isConnected).toBe(true);

    fireEvent.click(press);
    const form = press.closest('form');
    if (form) fireEvent.submit(form);
    await turns();
    expect(sent()).toHaveLength(1);
    expect(currentToasts().filter(({ tone }) => tone === 'error')).toEqual([]);
  },
);
