import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MonthlyLine } from '#contract/income.ts';
import { aMonth, months } from '../../../test/incomes.ts';
import { partsOf } from '../../../test/reading.ts';
import { showPage } from '../../../test/render.tsx';
import { success } from '../../../test/server.ts';
import { MonthlyPage } from './monthly-page.tsx';

const explained = (line: MonthlyLine, change = {}) =>
  success({
    line,
    team_volume: 41_000,
    required: 25_000,
    up_to: 10,
    contributed: 8,
    pool: 410,
    total: 500,
    leg_cap: 60,
    legs: [{ id: '9', referral_code: 'TWAAAAAAAA', name: 'Bela Kun', volume: 29_000, counted: 15_000 }],
    legs_total: 4,
    transfers: [],
    ...change,
  });

function open(line: MonthlyLine, change = {}) {
  showPage('/income/monthly-income', <MonthlyPage />, {
    'GET /bounus/monthly-salary': months([line]),
    [`GET /bounus/monthly-salary/${line.id}`]: explained(line, change),
  });
}

async function openMonth() {
  fireEvent.click(await screen.findByRole('button', { name: 'Calculation of February 2026' }));
  const first = await screen.findByText('Volume of your team, levels 1 to 10');
  return partsOf(first.closest('ol') as HTMLElement);
}

test('the figures show the current rank and what counts towards the next', async () => {
  open(aMonth());
  await screen.findByText('February 2026');
  const figure = (label: string) => screen.getByText(label).parentElement?.textContent;
  expect(figure('Rank so far')).toBe('Rank so farBronzeMarch 2026');
  expect(figure('Your team volume so far')).toBe(
    'Your team volume so far$9,000.00$7,500.00 of $25,000.00 counted for Silver',
  );
  expect(figure('Next payment')).toBe('Next paymentWed 1 Apr00:00 UTC, market time');
});

test('the maximum of a rank is shown with what recent months really paid of it', async () => {
  open(aMonth());
  const table = within(await screen.findByRole('table', { name: 'Monthly income by rank' }));
  expect(table.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'RankCounted volumeUp to',
    'Bronze$5,000.00$2.00',
    'Silver$25,000.00$10.00',
  ]);
  expect(screen.getByText(/Coverage paid: February 2026 82.00%, January 2026 100%\./)).toBeTruthy();
  // What counts this month, also before there is a line that opens into it.
  expect(screen.getByText(/One leg counts for at most 40% of the volume of a rank\./)).toBeTruthy();
});

test('a month expands to its volume, the leg rule, the rank, the contributed part, and the scaling', async () => {
  open(aMonth());
  expect(await openMonth()).toEqual([
    'Volume of your team, levels 1 to 10$41,000.00A leg is a direct referral and everybody below, down to your level 10.',
    'Counted under the leg rule$27,000.00One leg counts for at most 60% of the volume of a rank.',
    'Silver reachedup to $10.00Requires $25,000.00',
    'Contribution of your rank volume to the pool$8.0000Nobody gets back more than this.',
    'The smaller of the two$8.0000All members together $500.0000, with $410.0000 in the pool: scaled to 82.00%.',
    'Paid into your Profit Wallet$6.5600Market time 1 Mar 2026, 00:00 UTC, coverage 82.00%',
  ]);
  expect(within(screen.getByRole('table', { name: 'Your legs' })).getAllByRole('row')[1]?.textContent).toBe(
    'Bela Kun TWAAAAAAAA$29,000.00$15,000.00',
  );
  expect(screen.getByText('The 1 largest of 4 legs.')).toBeTruthy();
  expect(screen.getByText('Scaled 0.82')).toBeTruthy();
});

test('what was not paid in full is never said to be 100%', async () => {
  open(aMonth({ contributed: 9.9999, nominal: 10, paid: 9.9999, scale: 1, coverage: 0.99999 }), {
    contributed: 9.9999,
  });
  expect((await openMonth()).at(-1)).toMatch(/coverage 99\.99%$/);
  expect(screen.getByText('Coverage 99.99%')).toBeTruthy();
  expect(screen.getByText('Limited 0.99')).toBeTruthy();
});

test('a month that counts each dollar once shows contributed part, rank’s maximum, and which is paid', async () => {
  open(aMonth({ contributed: 6.808, nominal: 10, paid: 6.808, scale: 1, coverage: 0.6808 }), { contributed: 6.808 });
  expect((await openMonth()).slice(2)).toEqual([
    'Silver reachedup to $10.00Requires $25,000.00',
    'Your contributed part$6.8080What your levels 1 to 10 contributed to the pool, each trader’s part split evenly between all who qualify above that trader. Who reached a rank qualifies.',
    'The smaller of the two$6.8080The pool has $410.0000. What nobody gets of it is retained.',
    'Paid into your Profit Wallet$6.8080Market time 1 Mar 2026, 00:00 UTC, coverage 68.08%',
  ]);
  expect(screen.getByText('Limited 0.68')).toBeTruthy();
});

test('a month without a rank says so and moves no money', async () => {
  open(aMonth({ rank: null, nominal: 0, paid: 0, scale: 1, coverage: null, reason: 'rank' }), {
    required: null,
    up_to: null,
    contributed: 0,
  });
  expect((await openMonth()).at(-1)).toBe('No payment$0No rank was reached.');
  expect(screen.getByText('No rank')).toBeTruthy();
});
