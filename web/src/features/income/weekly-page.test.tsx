import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { WeeklyLine } from '#contract/income.ts';
import { aWeek } from '../../../test/incomes.ts';
import { partsOf } from '../../../test/reading.ts';
import { showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { success } from '../../../test/server.ts';
import { WeeklyPage } from './weekly-page.tsx';

const current = {
  week: '2026-W10',
  from: '2026-03-02',
  to: '2026-03-08',
  volume: 5184,
  cap: 12.5,
  pool: 402.1186,
  counted_once: true,
  qualifies: true,
  reason: null as WeeklyLine['reason'],
  active_directs: 6,
  needed_directs: 3,
  pays_at: '2026-03-09T00:00:00Z',
};

const explained = (line: WeeklyLine, change = {}) =>
  success({
    line,
    sessions: 7,
    trade_volume: 2_960_653.5,
    trade_fees: 11_842.614,
    filled: 1184.2614,
    carried: 0,
    cap: 10,
    capped: false,
    levels: [
      { level: 1, volume: 4235 },
      { level: 2, volume: 12_705 },
    ],
    transfers: [
      {
        id: '901',
        reason: 'weekly_income',
        from: 'pool_weekly',
        to: 'profit',
        amount: line.paid,
        created_at: '2026-03-02T00:00:00Z',
      },
    ],
    ...change,
  });

test('captions below the figures keep their space while loading', async () => {
  open(aWeek());
  const foot = screen.getByText('00:00 UTC, market time');
  expect([foot.style.visibility, screen.getByText(/ active directs, 3 needed$/).style.visibility]).toEqual([
    'hidden',
    'hidden',
  ]);
  expect((await screen.findByText('6 active directs, 3 needed')).style.visibility).toBe('');
});

function open(line: WeeklyLine, { now = current, source = {} } = {}) {
  showPage('/income/weekly-income', <WeeklyPage />, {
    'GET /bounus/monthly-weekly': success({
      items: [line],
      next_cursor: null,
      lifetime: 13.5758,
      weeks_paid: 9,
      current: now,
    }),
    [`GET /bounus/monthly-weekly/${line.id}`]: explained(line, source),
  });
}

async function stepsOf(week: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Calculation of ${week}` }));
  const first = await screen.findByText(/^Trade fees of all members,/);
  return partsOf(first.closest('ol') as HTMLElement);
}

const figure = (label: string) => screen.getByText(label).parentElement?.textContent;

test('the figures show the week so far, whether it would be paid, and when', async () => {
  open(aWeek());
  await screen.findByText(/One member gets at most 12.50% of the week’s contributions to the pool\./);
  await screen.findByText('2026-W09');
  expect(figure('Lifetime')).toBe('Lifetime$13.57589 weeks paid');
  expect(figure('Weekly pool so far')).toBe('Weekly pool so far$402.1186From the trade fees of all members');
  expect(figure('Your team volume so far')).toContain('$5,184.00');
  expect(figure('Qualifies')).toBe('QualifiesYes6 active directs, 3 needed');
  expect(figure('Next payment')).toBe('Next paymentMon 9 Mar00:00 UTC, market time');
});

test.each([
  [{ qualifies: false, reason: 'directs' as const, active_directs: 1 }, 'QualifiesNot yet1 active direct, 3 needed'],
  [{ qualifies: false, reason: 'inactive' as const }, 'QualifiesNot yetNo settled trade in 30 days'],
])('a member who does not qualify sees why: %o', async (change, words) => {
  open(aWeek(), { now: { ...current, ...change } });
  await screen.findByText('2026-W09');
  expect(figure('Qualifies')).toBe(words);
});

test('a week expands to its fees, the pool, the share and the payment', async () => {
  open(aWeek());
  expect(await stepsOf('2026-W09')).toEqual([
    'Trade fees of all members, 23 Feb – 1 Mar$11,842.61407 sessions, $2,960,653.50 traded',
    '10.00% of them went into the weekly pool$1,184.2614Nothing was carried over from the weeks before.',
    'Your share of the qualifying volume0.1838%$16,940.00 of $9,214,806.00, below the cap of 10%.',
    'Paid into your Profit Wallet$2.1771Market time 2 Mar 2026, 00:00 UTC, coverage 100%',
  ]);
  const levels = within(screen.getByRole('table', { name: 'Your team volume by level' }));
  expect(levels.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'LevelVolumeShare',
    '1$4,235.0025.00%',
    '2$12,705.0075.00%',
  ]);
  expect(within(screen.getByRole('list', { name: 'Ledger transfers' })).getByRole('listitem').textContent).toContain(
    'Weekly pool → Profit Wallet',
  );
});

test('a capped week says so, with its coverage', async () => {
  const line = aWeek({ volume: 60, qualifying_volume: 100, share: 10, nominal: 600, paid: 100, coverage: 0.1667 });
  open(line, { source: { capped: true, carried: 12.5 } });
  const steps = await stepsOf('2026-W09');
  expect(steps[1]).toContain('$12.5000 was carried over from the weeks before: $1,184.2614 in the pool');
  expect(steps[2]).toContain('Capped: one member gets at most 10% of the pool');
  expect(screen.getByText('Capped 0.17')).toBeTruthy();
  expect(screen.getByText('Coverage 16.67%')).toBeTruthy();
});

test('a week that counts each dollar once shows the contributed part, and what is paid and retained', async () => {
  const line = aWeek({
    qualifying_volume: null,
    contributed: 200,
    share: 10,
    nominal: 200,
    paid: 118.4261,
    pool: 1184.2614,
  });
  open(line, { source: { capped: true } });
  expect((await stepsOf('2026-W09')).slice(1)).toEqual([
    '10.00% of them went into the weekly pool$1,184.2614What nobody above a trader qualifies for is retained.',
    'Your contributed part$200.0000What your levels 1 to 10 contributed to the pool, each trader’s part split evenly between all who qualify above that trader. Capped: one member gets at most 10% of $1,184.2614.',
    'Paid into your Profit Wallet$118.4261Market time 2 Mar 2026, 00:00 UTC, coverage 100%',
  ]);
  expect(screen.getByRole('columnheader', { name: 'Contributed part' })).toBeTruthy();
  expect(screen.queryByText(/This week still shares the whole pool/)).toBeNull();
});

test('a current week under the previous rule says so', async () => {
  open(aWeek(), { now: { ...current, counted_once: false } });
  expect(await screen.findByText(/This week still shares the whole pool in proportion to team volume\./)).toBeTruthy();
});

test('a week held by an alarm says so in its row and in place of the payment', async () => {
  open(aWeek({ held: true }), { source: { transfers: [] } });
  const steps = await stepsOf('2026-W09');
  expect(steps.at(-1)).toBe(
    'Held$2.1771Not paid yet: a reconciliation is running. This amount is paid once it has passed.',
  );
  expect(screen.getByText('Held: no transfer has been made yet.')).toBeTruthy();
  expect(screen.getAllByText('Held')).toHaveLength(2);
});

test('the file names the unit of every amount', async () => {
  const saved = savedFiles();
  open(aWeek());
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const [head = ''] = ((await saved[0]?.file.text()) ?? '').split('\r\n');
  expect(head.split(',').filter((cell) => cell.endsWith('(USD)'))).toEqual([
    'Pool (USD)',
    'Your team volume (USD)',
    'Total qualifying volume (USD)',
    'Contributed part (USD)',
    'Nominal (USD)',
    'Paid (USD)',
  ]);
});

test('a week that paid nothing says why, and that no money moved', async () => {
  const line = aWeek({ share: null, nominal: 0, paid: 0, coverage: null, reason: 'directs' });
  open(line, { source: { transfers: [] } });
  const steps = await stepsOf('2026-W09');
  expect(steps.slice(2)).toEqual(['You did not qualify–Too few of your direct referrals were active.', 'No payment$0']);
  expect(screen.getByText('Too few directs')).toBeTruthy();
  expect(screen.getByText('Nothing was paid, so there is no transfer.')).toBeTruthy();
  expect(screen.getAllByText(/A week without trade fees pays nothing\./).length).toBeGreaterThan(0);
});
