import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { renderAt, showPage } from '../../../test/render.tsx';
import { refused, stubServer, success } from '../../../test/server.ts';
import { aKeptSeal, aSeal } from '../../../test/solvency-seal.ts';
import { signIn } from '../../api/sign-in-state.ts';
import type { OwnLeaf } from './check-proof.ts';
import { SealPanel } from './liabilities-proof-panel.tsx';

const CODE = 'TW7K3QMX9D';

beforeEach(() => signIn('secret', { id: '7', name: 'Anika Rao', referral_code: CODE } as User));

const open = (own: OwnLeaf | null, published: unknown = own?.snapshot ?? null) => {
  return showPage('/solvency', <SealPanel simulated />, {
    'GET /solvency/snapshot': success(published),
    'GET /solvency/my-leaf': success(own),
  }).calls;
};

test('included balances are shown with the path from leaf to root, and with what the proof does not show', async () => {
  open(aSeal(CODE));
  expect(await screen.findByText('Included')).toBeTruthy();
  const names = screen.getAllByRole('term').map((term) => term.textContent);
  const values = screen.getAllByRole('definition').map((value) => value.textContent);
  expect(names).toEqual(['Primary Wallet', 'Profit Wallet', 'In trades', 'In plans', 'Held for withdrawals', 'Total']);
  expect(values).toEqual(['$5,718.6350', '$862.0874', '$0', '$2,797.0305', '$300.0000', '$9,677.7529']);
  expect(screen.getByRole('heading', { name: 'Your balances are split into 3 leaves' })).toBeTruthy();
  const steps = within(screen.getByRole('list')).getAllByRole('listitem');
  expect(steps.map((step) => step.querySelector('span')?.textContent)).toEqual(['Leaf 1', 'Leaf 2', 'Leaf 3', 'Root']);
  expect(steps[0]?.textContent).toContain('$4,000.0000');
  expect(screen.getByText('Proof 9 of 4 Mar 2026')).toBeTruthy();
  const { snapshot } = aSeal(CODE);
  expect(steps[3]?.querySelector('code')?.textContent?.replaceAll(' ', '')).toBe(snapshot.root.slice(0, 16));
  expect(screen.getByText(/^Verified at \d\d:\d\d UTC in this browser, not on our server\.$/)).toBeTruthy();
  expect(screen.getByText(/It does not show that assets cover the liabilities\.$/)).toBeTruthy();
});

test('a proof from before leaves were split has one leaf, and says that its path shows another total', async () => {
  const own = aKeptSeal(CODE);
  open(own, { ...own.snapshot, version: 1 });
  expect(await screen.findByRole('heading', { name: 'Your balances are one leaf' })).toBeTruthy();
  expect(screen.getByText(/so its path shows the total of another member/)).toBeTruthy();
});

test('verifying again requests both anew', async () => {
  const calls = open(aSeal(CODE));
  fireEvent.click(await screen.findByRole('button', { name: 'Verify again in this browser' }));
  await waitFor(() => expect(calls).toHaveLength(4));
  expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['GET /solvency/snapshot', 'GET /solvency/my-leaf']));
  expect(await screen.findByText('Included')).toBeTruthy();
});

test('before the first proof it says when there will be one', async () => {
  open(null);
  expect(await screen.findByText('No proof yet')).toBeTruthy();
  expect(screen.getByText('Not yet included')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a member who joined after the last proof is told so', async () => {
  open({ snapshot: aSeal(CODE).snapshot, leaf: null });
  expect(await screen.findByText('You joined after the last proof')).toBeTruthy();
});

const seal = aSeal(CODE);
test.each<[string, OwnLeaf, unknown, string]>([
  ['a leaf of another member', aSeal('TWSOMEBODY'), undefined, 'The leaf belongs to another member.'],
  [
    'a balance that is not in the proof',
    { ...seal, leaf: { ...seal.leaf, balances_micros: { ...seal.leaf.balances_micros, primary: '1' } } },
    undefined,
    'The parts do not add up to your balances.',
  ],
  [
    'a proof other than the published one',
    seal,
    aSeal(CODE, 64).snapshot,
    'Your proof differs from the published one.',
  ],
  [
    'a negative part',
    {
      ...seal,
      leaf: { ...seal.leaf, parts: seal.leaf.parts.map((part) => ({ ...part, amount_micros: '-1' })) },
    },
    undefined,
    'The proof contains a negative amount.',
  ],
  [
    'no leaf, and a proof other than the published one',
    { snapshot: seal.snapshot, leaf: null },
    aSeal(CODE, 64).snapshot,
    'Your proof differs from the published one.',
  ],
])('%s does not match, and it says what to do', async (_what, own, published, words) => {
  open(own, published ?? own.snapshot);
  const alarm = await screen.findByRole('alert');
  expect(alarm.textContent).toContain(words);
  expect(alarm.textContent).toContain('Download the proof and keep it');
  expect(within(alarm).getByRole('link', { name: 'support' })).toBeTruthy();
  expect(screen.getByText('Mismatch')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Verify again in this browser' })).toBeTruthy();
  expect(screen.queryByText('Total')).toBeNull();
});

test('a failed request is reported, and nothing is claimed', async () => {
  stubServer({
    'GET /solvency/snapshot': refused(500, 'internal', 'Broken.'),
    'GET /solvency/my-leaf': success(seal),
  });
  renderAt('/solvency', <SealPanel simulated={false} />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(screen.queryByText('Included')).toBeNull();
});
