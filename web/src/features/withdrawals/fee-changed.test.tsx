import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPage } from '../../../test/render.tsx';
import { refused, success } from '../../../test/server.ts';
import { aCode, theTerms } from '../../../test/withdrawals.ts';
import { WithdrawalPage } from './withdrawal-page.tsx';

const SEND = 'GET /auth/send-otp';
const REQUEST = 'POST /safe/withdrawal';
const WORDS = 'The withdrawal fee has changed. Go back to see the new one.';

test('a fee that changed since it was shown is refused, and the new one stands one step back', async () => {
  let minimum = 1;
  const { sentTo } = showPage('/fund/withdrawal', <WithdrawalPage />, {
    'GET /safe/withdrawal-terms': () => success(theTerms({ fee_minimum: minimum })),
    'GET /auth/wallet-balance': success({ primary_wallet: 4218.635, profit_wallet: 0 }),
    'GET /safe/withdrwal-hist': success({ items: [], next_cursor: null }),
    [SEND]: success(aCode()),
    [REQUEST]: refused(409, 'withdrawal_fee_changed', WORDS),
  });
  const ask = () => fireEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await screen.findByText('$4,218.63');
  await screen.findByText('Fee, 1%, at least $1.00');
  fireEvent.change(screen.getByLabelText('Amount in USDT'), { target: { value: '500' } });
  ask();
  fireEvent.paste(await screen.findByLabelText('Digit 1 of 6'), { clipboardData: { getData: () => '407129' } });
  minimum = 9;
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw $500.00' }));
  await screen.findByText(WORDS);
  expect(sentTo(REQUEST)[0]?.body).toMatchObject({ amount: 500, fee: 5 });
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect((await screen.findByText('Fee, 1%, at least $9.00')).nextElementSibling?.textContent).toBe('$9.0000');
  ask();
  await waitFor(() => expect(sentTo(SEND)).toHaveLength(2));
});
