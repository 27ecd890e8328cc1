import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { WalletType } from '#contract/rules.ts';
import { theFees, theSpreads } from '../../../test/fees.ts';
import { atExchange, renderAt } from '../../../test/render.tsx';
import { type Answers, type Call, refused, settled, stubServer, success } from '../../../test/server.ts';
import { aPair, aTrade, theSession as session } from '../../../test/trades.ts';
import { TradeDialog } from './trade-dialog.tsx';

const { feed } = session;
const asset = (id: string, percentage: number | null) => ({ id, name: `${id}/usdt`, logo: '', percentage });
const placed = ({ tradeId: symbol, ...body }: { tradeId: string; amount: number; wallet_type: WalletType }) =>
  aTrade({ symbol, ...body, fee: null, state: 'queued', opened_at: null, open_price: null, live: null });

type Given = {
  symbol?: string;
  primary?: number;
  profit?: number;
  state?: string;
  fees?: Answers[string];
  tradable?: Answers[string];
};

const tradableAssets = success([asset('btc', 1.24), asset('link', -0.29), asset('bsv', 0)]);

const fewerFeesWait = theFees({ trade_fee_bps: 30, performance_fee_bps: 800 });

function openDialog({
  symbol,
  primary = 4218.635,
  profit = 612.0874,
  state = 'open',
  fees = fewerFeesWait,
  tradable = tradableAssets,
}: Given = {}) {
  const onClose = vi.fn();
  const answers: Answers = {
    'GET /trade': tradable,
    'GET /auth/wallet-balance': success({ primary_wallet: primary, profit_wallet: profit }),
    'GET /market': success({ pairs: [aPair('btc', { stale: true }), aPair('link', { apiname: 'chainlink' })], feed }),
    'GET /trading/session': success({ ...session, state }),
    'GET /fees': fees,
    'GET /market/spreads': theSpreads({ link: { next_bps: 50 } }),
    'GET /trading/limits': success({ items: [{ symbol: 'btc', trade: 50_000, member: null, all: 100_000 }] }),
    'POST /trading/do-trade': () => success(placed(sent(calls).at(-1)?.body as never)),
  };
  const calls = stubServer(answers);
  renderAt('/dashboard', <TradeDialog opened onClose={onClose} symbol={symbol} />);
  return { calls, answers, onClose };
}

const sent = (calls: Call[]) => calls.filter(({ name }) => name === 'POST /trading/do-trade');
const tradeNow = () => screen.getByRole('button', { name: /Trade Now/ });
const amount = () => screen.getByRole('textbox', { name: 'Amount' });
const type = (text: string) => {
  fireEvent.change(amount(), { target: { value: text } });
  fireEvent.blur(amount());
};
/** The dialog has everything it needs to trade. */
const ready = async () => {
  await screen.findByRole('radio', { name: /btc/ });
  await waitFor(() => expect(tradeNow()).toHaveProperty('disabled', false));
};

async function openReady(given?: Given) {
  const opened = openDialog(given);
  await ready();
  return opened;
}
const place = (text: string) => {
  type(text);
  fireEvent.click(tradeNow());
};

test('the primary wallet is preselected, and each wallet shows its balance', async () => {
  await openReady();
  expect(screen.getByRole('radio', { name: /Primary Wallet \$4,218\.63 ?50/ })).toHaveProperty('checked', true);
  expect(screen.getByRole('radio', { name: /Profit Wallet \$612\.08 ?74/ })).toHaveProperty('checked', false);
});

test('the banner shows both opening hours, the state and the countdown', async () => {
  await openReady();
  const dialog = screen.getByRole('dialog');
  expect(within(dialog).getByText('8:30 AM to 1:30 PM US time')).toBeTruthy();
  expect(within(dialog).getByText('6:00 PM to 11:00 PM India time')).toBeTruthy();
  expect(within(dialog).getByText(/your time \(/)).toBeTruthy();
  expect(within(dialog).getByRole('status').textContent).toBe('Open');
  expect(dialog.textContent).toContain('closes in 3:2');
});

test('market information has its space before it arrives, and is hidden until then', async () => {
  openDialog();
  const line = screen.getByText(/your time \(/);
  const name = () => screen.getByRole('heading', { level: 2 }).textContent;
  expect([line.style.visibility, screen.queryByRole('heading', { name: 'Trade' }) !== null]).toEqual(['hidden', true]);
  expect(name()).toContain('Simulated market');
  await ready();
  expect(line.style.visibility).toBe('');
  expect(name()).not.toContain('Simulated market');
});

test('the mode is in the title row, and the accessible name does not change with the clock', async () => {
  await openReady();
  // The clock keeps running during the test.
  expect(screen.getByRole('heading', { name: /^Trade ?, Replay$/ }).textContent).toMatch(/2026-03-04 14:\d\d UTC/);
});

test('each asset shows its name and change', async () => {
  await openReady();
  expect(screen.getByRole('radio', { name: /^btc ?\/usdt \+1\.24%$/ })).toBeTruthy();
  expect(screen.getByRole('radio', { name: /^link ?\/usdt −0\.29%$/ })).toBeTruthy();
  expect(screen.getByRole('radio', { name: /^bsv ?\/usdt 0%$/ })).toBeTruthy();
});

test('assets that could not be loaded can be retried', async () => {
  const { answers } = openDialog({ tradable: refused(500, 'internal', 'Broken.') });
  expect(await screen.findByText('The list could not be loaded')).toBeTruthy();
  answers['GET /trade'] = tradableAssets;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('radio', { name: /btc/ })).toBeTruthy();
});

test('the address selects the asset; one that is not traded is not selected', async () => {
  await openReady({ symbol: 'link' });
  expect(screen.getByRole('radio', { name: /link/ })).toHaveProperty('checked', true);
  expect(await screen.findByText('chainlink')).toBeTruthy();
});

test('for a disabled asset the member has to select another', async () => {
  const { calls } = await openReady({ symbol: 'eos' });
  place('50');
  expect((await screen.findAllByText('Please select a trade.')).length).toBeGreaterThan(0);
  await settled();
  expect(sent(calls)).toEqual([]);
});

test('messages come in order: no asset, then the minimum of the chosen wallet', async () => {
  const { calls } = await openReady();
  fireEvent.click(tradeNow());
  expect((await screen.findByRole('alert')).textContent).toContain('Please select a trade.');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: /btc/ }));

  fireEvent.click(screen.getByRole('radio', { name: /btc/ }));
  place('4.99');
  await waitFor(() => expect(screen.getAllByText('Min amount for trade is 5$.').length).toBeGreaterThan(0));
  expect(amount().getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(amount());

  fireEvent.click(screen.getByRole('radio', { name: /Profit Wallet/ }));
  expect(amount().getAttribute('aria-invalid')).not.toBe('true');
  place('0.5');
  await waitFor(() => expect(screen.getAllByText('Min amount for trade is 1$.').length).toBeGreaterThan(0));
  await settled();
  expect(sent(calls)).toEqual([]);
});

test('a 1 from the profit wallet stays a 1, although the input’s own minimum is 5', async () => {
  const { calls } = await openReady({ symbol: 'btc' });
  fireEvent.click(screen.getByRole('radio', { name: /Profit Wallet/ }));
  type('1');
  expect(amount()).toHaveProperty('value', '1');
  expect(amount().getAttribute('min')).toBe('5');
  fireEvent.click(tradeNow());
  await waitFor(() =>
    expect(sent(calls).map(({ body }) => body)).toEqual([{ tradeId: 'btc', amount: 1, wallet_type: 'profit' }]),
  );
});

const stops = () => screen.getByRole('button', { name: /^Stops/ });

test('stops are collapsed and none is set initially', async () => {
  const { calls, onClose } = await openReady({ symbol: 'link' });
  expect(stops().textContent).toBe('Stops optional, none set');
  expect(stops().getAttribute('aria-expanded')).toBe('false');
  place('50');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent(calls).map(({ body }) => body)).toEqual([{ tradeId: 'link', amount: 50, wallet_type: 'primary' }]);
});

test('each stop says in a sentence what it does and its current trigger price', async () => {
  const { calls } = await openReady({ symbol: 'link' });
  fireEvent.click(stops());
  await screen.findByRole('textbox', { name: 'Stop-loss' });
  const field = (name: string) => screen.getByRole('textbox', { name });
  expect(screen.getByText('Sells when the price falls this far below your entry price.')).toBeTruthy();
  fireEvent.change(field('Stop-loss'), { target: { value: '2' } });
  fireEvent.change(field('Take-profit'), { target: { value: '3.5' } });
  fireEvent.change(field('Trailing stop'), { target: { value: '1' } });
  // The mark is 15.284: an entry now is 15.291642, the highest mark to trail from is the mark.
  expect(await screen.findByText('Sells when the price falls 2% below your entry price: now 14.986.')).toBeTruthy();
  expect(screen.getByText('Sells when the price rises 3.5% above your entry price: now 15.827.')).toBeTruthy();
  expect(screen.getByText('Sells when the price falls 1% from its highest price: now 15.131.')).toBeTruthy();
  expect(stops().textContent).toBe('Stops 3 set');
  place('50');
  await waitFor(() =>
    expect(sent(calls).map(({ body }) => body)).toEqual([
      { tradeId: 'link', amount: 50, wallet_type: 'primary', stop_loss: 2, take_profit: 3.5, trailing_stop: 1 },
    ]),
  );
});

test('an invalid stop is reported at its field, and nothing is sent', async () => {
  const { calls } = await openReady({ symbol: 'link' });
  fireEvent.click(stops());
  fireEvent.change(await screen.findByRole('textbox', { name: 'Stop-loss' }), { target: { value: '100' } });
  fireEvent.click(stops());
  place('50');
  expect((await screen.findByRole('alert')).textContent).toContain('Stop-loss: From 0.1 to 99.9%.');
  expect(screen.getByText('From 0.1 to 99.9%.')).toBeTruthy();
  const field = screen.getByRole('textbox', { name: 'Stop-loss' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.change(field, { target: { value: '10' } });
  expect(screen.queryByText('From 0.1 to 99.9%.')).toBeNull();
  expect(stops().getAttribute('aria-expanded')).toBe('true');
  await settled();
  expect(sent(calls)).toEqual([]);
});

test('while the opening waits, the banner says for what', async () => {
  const { answers } = openDialog({ state: 'closed' });
  answers['GET /trading/session'] = success({
    ...session,
    state: 'closed',
    waits_for: 'the last session is still settling',
    waiting_assets: null,
  });
  expect(await screen.findByText('Opening waits: the last session is still settling.')).toBeTruthy();
});

test('an amount over the balance is wrong as it is typed, and Enter sends nothing', async () => {
  const { calls } = await openReady({ symbol: 'btc' });
  type('4218.63');
  expect(amount().getAttribute('aria-invalid')).not.toBe('true');
  type('4218.64');
  expect(amount().getAttribute('aria-invalid')).toBe('true');
  expect(tradeNow()).toHaveProperty('disabled', true);
  fireEvent.submit(amount());
  await settled();
  expect(sent(calls)).toEqual([]);
});

test('while trading is halted Trade Now is disabled and says why', async () => {
  const { answers } = openDialog({ symbol: 'btc' });
  answers['GET /trading/session'] = success({
    ...session,
    halt: { reason: 'An exchange is down.', at: session.opens_at },
  });
  expect(await screen.findByText('Trading is halted: An exchange is down.')).toBeTruthy();
  expect(tradeNow()).toHaveProperty('disabled', true);
});

test('quick-add buttons are named by their number and add to the amount', async () => {
  await openReady({ symbol: 'btc' });
  for (const name of ['50', '250', '2000', '50000']) expect(screen.getByRole('button', { name })).toBeTruthy();
  type('0.5');
  fireEvent.click(screen.getByRole('button', { name: '50' }));
  fireEvent.click(screen.getByRole('button', { name: '250' }));
  expect(amount()).toHaveProperty('value', '300.5');
});

test('with an empty wallet Trade Now is disabled and says why; the other wallet enables it', async () => {
  openDialog({ primary: 0 });
  expect(await screen.findByText('Your Primary Wallet is empty.')).toBeTruthy();
  expect(tradeNow()).toHaveProperty('disabled', true);
  expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/fund/deposits');
  fireEvent.click(screen.getByRole('radio', { name: /Profit Wallet/ }));
  expect(tradeNow()).toHaveProperty('disabled', false);
  expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull();
});

test('costs and settlement time are shown beside the amount', async () => {
  await openReady({ symbol: 'link' });
  type('550');
  const line = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  await screen.findByText('Trade fee, 0.40%');
  expect(line('Trade fee, 0.40%')).toBe('$2.2000');
  expect(line('Position in link/usdt')).toBe('$547.8000');
  expect(line('Spread')).toBe('half of 0.10% when it buys and when it sells');
  expect(line('Performance fee')).toBe('10% of a gain');
  expect(line('Settles')).toBe('today, 17:30 UTC');
  expect(screen.queryByText('Opens')).toBeNull();
  expect(screen.getByText(/You can lose up to the amount\./)).toBeTruthy();
  expect(screen.getByText(/Minimum investment: \$5 from the Primary Wallet, \$1 from/)).toBeTruthy();
});

test('at an exchange its fee is among the costs', async () => {
  atExchange();
  await openReady({ symbol: 'link' });
  expect(screen.getByText('Exchange fee').nextElementSibling?.textContent).toBe('included in both prices');
});

test('outside a session it says when the trade will open, and the fees of that opening', async () => {
  await openReady({ symbol: 'link', state: 'settling' });
  type('550');
  expect((await screen.findByText('Trade fee, 0.30%')).nextElementSibling?.textContent).toBe('$1.6500');
  expect(screen.getByText('Performance fee').nextElementSibling?.textContent).toBe('8% of a gain');
  expect(screen.getByText('Opens').nextElementSibling?.textContent).toBe('Next session, tomorrow, 12:30 UTC');
});

test('while the fees are unknown the lines say so, and a trade can be placed', async () => {
  await openReady({ symbol: 'link', fees: 'never' });
  type('550');
  expect(screen.getByText('Trade fee').nextElementSibling?.textContent).toBe('–');
  expect(screen.getByText('Position in link/usdt').nextElementSibling?.textContent).toBe('–');
  expect(tradeNow()).toHaveProperty('disabled', false);
});

test('after a trade the dialog closes, balances are refetched and one toast is shown', async () => {
  const { calls, onClose } = await openReady({ symbol: 'link' });
  const reads = () => calls.filter(({ name }) => name === 'GET /auth/wallet-balance').length;
  const before = reads();
  place('550');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(await screen.findByText('$550.00 in link/usdt from the Primary Wallet')).toBeTruthy();
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
  expect(sent(calls).map(({ body }) => body)).toEqual([{ tradeId: 'link', amount: 550, wallet_type: 'primary' }]);
});

test('a refusal is shown in the server’s words and the dialog stays open', async () => {
  const { answers, onClose } = openDialog({ symbol: 'btc' });
  answers['POST /trading/do-trade'] = refused(422, 'insufficient_funds', 'Insufficient balance.');
  await ready();
  place('50');
  expect((await screen.findByRole('alert')).textContent).toContain('Insufficient balance.');
  expect(onClose).not.toHaveBeenCalled();
  type('40');
  expect(tradeNow()).toHaveProperty('disabled', false);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  [120.5, 'This amount is over the limit of this asset. Enter at most $120.50.'],
  [0, 'The limit of this asset is reached. Choose another asset, or try again later.'],
])('above the limit of the asset it says, at the amount, that %d dollars are possible', async (possible, words) => {
  const { answers, onClose } = openDialog({ symbol: 'btc' });
  const refusal = { status: 'error', code: 'over_asset_limit', message: 'Enter a smaller amount.' };
  answers['POST /trading/do-trade'] = { status: 409, body: { ...refusal, data: { still_possible: possible } } };
  await ready();
  place('500');
  await waitFor(() => expect(amount().getAttribute('aria-invalid')).toBe('true'));
  expect(document.activeElement).toBe(amount());
  expect(screen.getByText(words, { selector: 'form *' })).toBeTruthy();
  // The toast is only for the eye: with the focus, screen readers say what the field has.
  await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

test('the largest possible trade of the chosen asset is shown beforehand, where there is a limit', async () => {
  await openReady({ symbol: 'btc' });
  expect(await screen.findByText(/Largest trade in btc\/usdt: \$50,000\.00\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('radio', { name: /link/ }));
  expect(screen.queryByText(/Largest trade in/)).toBeNull();
});

test('while the trade is being sent a second press and Escape do nothing', async () => {
  const { calls, answers, onClose } = openDialog({ symbol: 'btc' });
  answers['POST /trading/do-trade'] = 'never';
  await ready();
  place('50');
  fireEvent.click(await screen.findByRole('button', { name: 'Placing' }));
  fireEvent.submit(screen.getByRole('button', { name: 'Placing' }).closest('form') as HTMLElement);
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  await settled();
  expect(sent(calls)).toHaveLength(1);
  expect(onClose).not.toHaveBeenCalled();
});

test('of an asset with a delayed price the dialog says that the trade waits', async () => {
  openDialog({ symbol: 'btc' });
  expect(await screen.findByText('Prices are delayed')).toBeTruthy();
  fireEvent.click(await screen.findByRole('radio', { name: /link/ }));
  expect(screen.queryByText('Prices are delayed')).toBeNull();
});
