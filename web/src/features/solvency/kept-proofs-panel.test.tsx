import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { showPage } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { type Answers, success } from '../../../test/server.ts';
import { aKeptSeal, aSeal } from '../../../test/solvency-seal.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { KeptProofsPanel } from './kept-proofs-panel.tsx';

const CODE = 'TW7K3QMX9D';
const seal = aSeal(CODE);

beforeEach(() => signIn('secret', { id: '7', name: 'Anika Rao', referral_code: CODE } as User));

function open(answers: Answers = {}) {
  const { no, market_day, taken_at } = seal.snapshot;
  return showPage('/solvency', <KeptProofsPanel />, {
    'GET /solvency/my-proofs': success({ items: [{ no, market_day, taken_at }] }),
    'GET /solvency/my-leaf': success(seal),
    'GET /solvency/snapshot': success(seal.snapshot),
    ...answers,
  }).calls;
}

const give = async (content: string) => {
  const file = new File([content], 'proof.json', { type: 'application/json' });
  fireEvent.change(await screen.findByLabelText('Downloaded proof'), { target: { files: [file] } });
};

test('an earlier proof is verified against the snapshot published under its number', async () => {
  const calls = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Verify proof 9' }));
  expect(await screen.findByText('Included')).toBeTruthy();
  expect(calls.map(({ name }) => name)).toEqual([
    'GET /solvency/my-proofs',
    'GET /solvency/my-leaf',
    'GET /solvency/snapshot',
  ]);
});

test('an earlier proof that does not match says why', async () => {
  open({ 'GET /solvency/snapshot': success(aSeal(CODE, 64).snapshot) });
  fireEvent.click(await screen.findByRole('button', { name: 'Verify proof 9' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Your proof differs from the published one.');
  expect(screen.getByText('Mismatch')).toBeTruthy();
});

test('an earlier proof is downloaded unchanged', async () => {
  const saved = savedFiles();
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'Download proof 9' }));
  await waitFor(async () => expect(JSON.parse((await saved[0]?.file.text()) ?? '')).toEqual(seal));
});

test.each<[string, unknown, unknown, string]>([
  ['of this version', seal, seal.snapshot, 'Proof 9 of 4 Mar 2026 is valid and includes your balances.'],
  [
    'from before leaves were split',
    aKeptSeal(CODE),
    { ...aKeptSeal(CODE).snapshot, version: 1 },
    'Proof 9 of 4 Mar 2026 is valid and includes your balances.',
  ],
  ['of another member', aSeal('TWSOMEBODY'), aSeal('TWSOMEBODY').snapshot, 'The leaf belongs to another member.'],
  ['that is not a proof', { some: 'thing' }, seal.snapshot, 'The proof cannot be read.'],
])('a downloaded file %s is verified in the browser', async (_what, content, published, words) => {
  open({ 'GET /solvency/snapshot': success(published) });
  await give(JSON.stringify(content));
  expect(await screen.findByText(words)).toBeTruthy();
});
