import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RewardRank } from '#contract/income.ts';
import { aRank, months } from '../../../test/incomes.ts';
import { showPage } from '../../../test/render.tsx';
import { type Answers, refused, settled, success } from '../../../test/server.ts';
import { RewardsPage } from './rewards-page.tsx';

const claimable = aRank({ state: 'claimable', reached: 5000, month: '2026-02' });
const silver = aRank({ rank: 'silver', required: 25_000, reached: 7_500, reward: 5 });

function open(ranks: RewardRank[], { pool = 100, waiting = 0, other = {} as Answers } = {}) {
  const { calls } = showPage('/rewards', <RewardsPage />, {
    'GET /safe/fetch-sir-reward': success({
      period: '2026-03',
      ranks,
      volume: 9_000,
      pool,
      waiting,
      waiting_amount: waiting * 20,
      leg_cap: 60,
    }),
    'GET /bounus/monthly-salary': months(),
    ...other,
  });
  return { sent: () => calls.filter(({ name }) => name === 'POST /safe/claim-reward') };
}

async function ask() {
  fireEvent.click(await screen.findByRole('button', { name: 'Claim the Bronze reward' }));
  return within(await screen.findByRole('dialog', { name: 'Claim the Bronze reward?' }));
}

test('monthly incomes that could not be loaded can be retried', async () => {
  let isBroken = true;
  const answer = () => (isBroken ? refused(500, 'internal', 'Broken.') : months());
  open([claimable], { other: { 'GET /bounus/monthly-salary': answer } });
  expect(await screen.findByText('This could not be loaded')).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('table', { name: 'Monthly income by rank' })).toBeTruthy();
});

test('each rank shows its progress, its requirements and its state', async () => {
  open([
    aRank({ state: 'paid', reached: 5000, month: '2026-01', paid_at: '2026-02-03T10:00:00Z' }),
    aRank({ rank: 'silver', required: 25_000, reward: 5, state: 'waiting', month: '2026-02', place: 4 }),
    aRank({ rank: 'gold', required: 100_000, reached: 7_500, reward: 20 }),
  ]);
  const ladder = within(await screen.findByRole('list', { name: 'Ranks' }));
  expect(ladder.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'BronzePaid$1.00$5,000.00 reached in January 2026, paid on 3 Feb 2026',
    'SilverWaiting, place 4$5.00$25,000.00 reached in February 2026, claimed',
    'GoldLockedup to $20.00$7,500.00 of $100,000.00 counted so far this month',
  ]);
  const gold = ladder.getByRole('progressbar', { name: 'Gold' });
  expect(gold.getAttribute('aria-valuenow')).toBe('7');
  expect(gold.getAttribute('aria-valuetext')).toBe('$7,500.00 of $100,000.00 counted so far this month');
  expect(ladder.queryByRole('button')).toBeNull();
});

test('a reward shows the contributed part that limits it, and a rank already passed cannot be claimed', async () => {
  open([
    aRank({ state: 'passed' }),
    aRank({
      rank: 'silver',
      required: 25_000,
      reward: 3.404,
      contributed: 3.404,
      state: 'claimable',
      month: '2026-02',
    }),
  ]);
  const ladder = within(await screen.findByRole('list', { name: 'Ranks' }));
  expect(ladder.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'BronzePassedup to $1.00You reached a higher rank first: its reward is the one that counts.',
    'SilverClaimable$3.4040Claim$25,000.00 reached in February 2026 · contributed part $3.4040',
  ]);
  expect(ladder.queryByRole('button', { name: 'Claim the Bronze reward' })).toBeNull();
  expect(
    screen.getByText(/never more than your contributed part of what that month put into the rewards pool/),
  ).toBeTruthy();
});

test('the leg rule is stated with the numbers of the next rank', async () => {
  open([claimable, silver]);
  expect(
    await screen.findByText(/at most 60% of the volume of a rank\. For Silver that is \$15,000\.00 of \$25,000\.00\./),
  ).toBeTruthy();
});

test('if the pool has enough and nobody waits, the claim says that it is paid now', async () => {
  const paid = { ...claimable, state: 'paid' as const, paid_at: '2026-03-04T18:00:00Z' };
  const { sent } = open([claimable, silver], { other: { 'POST /safe/claim-reward': success(paid) } });
  const dialog = await ask();
  expect(dialog.getByText(/goes to your Profit Wallet now/).textContent).toBe(
    '$1.00 goes to your Profit Wallet now. The rewards pool has $100.0000.',
  );
  await settled();
  expect(sent()).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: /^Claim/ }));
  expect(await screen.findByText('$1.00 is in your Profit Wallet.')).toBeTruthy();
  expect(sent().map(({ body }) => body)).toEqual([{ rank: 'bronze' }]);
  expect(sent()[0]?.headers.get('idempotency-key')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test.each([
  [0.5, 0, 'The rewards pool has $0.5000. Your $1.00 waits in the queue at place 1.'],
  [100, 3, 'The rewards pool has $100.0000. 3 claims are before yours. Your $1.00 waits in the queue at place 4.'],
])(
  'a pool of %d with %d in the queue: the claim shows its place, and says that the date is unknown',
  async (pool, waiting, words) => {
    const { sent } = open([claimable, silver], {
      pool,
      waiting,
      other: { 'POST /safe/claim-reward': success({ ...claimable, state: 'waiting', place: waiting + 1 }) },
    });
    const dialog = await ask();
    expect(dialog.getByText(/waits in the queue/).textContent).toBe(words);
    expect(dialog.getByText(/Nobody can say when\./)).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: /^Claim/ }));
    expect(await screen.findByText(`Your claim is in the queue at place ${waiting + 1}.`)).toBeTruthy();
    expect(sent()).toHaveLength(1);
  },
);

test('a claim made elsewhere in the meantime shows the server’s message in the dialog', async () => {
  const message = 'This reward cannot be claimed.';
  open([claimable, silver], {
    other: {
      'POST /safe/claim-reward': refused(409, 'reward_not_claimable', message),
    },
  });
  const dialog = await ask();
  fireEvent.click(dialog.getByRole('button', { name: /^Claim/ }));
  await dialog.findByText(message);
});

test('if it cannot be loaded it says so, and no figure is 0', async () => {
  showPage('/rewards', <RewardsPage />, {
    'GET /safe/fetch-sir-reward': 'no answer',
    'GET /bounus/monthly-salary': 'no answer',
  });
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.getByText('Claims in the queue').parentElement?.textContent).toContain('–');
});
