import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { savedFiles } from '../../../test/saved-files.ts';
import { aPublication } from '../../../test/solvency.ts';
import { SealsPanel } from './solvency-page.tsx';

test('each chain is shown with number, time and hash of its newest seal, and the key with its fingerprint', () => {
  const heads = aPublication();
  renderAt('/solvency', <SealsPanel heads={heads} />);
  const names = screen.getAllByRole('term').map((term) => term.textContent);
  const values = screen.getAllByRole('definition').map((value) => value.textContent);
  expect(names).toEqual(['Ledger', 'Audit log', 'Proof of liabilities']);
  expect(values).toEqual([
    'No. 48213, 11:59 UTC11111111…11111111',
    'No. 9120, 11:58 UTC22222222…22222222',
    'No. 36, 00:00 UTC33333333…33333333',
  ]);
  expect(screen.getByText('Fingerprint of the signing key')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy fingerprint' })).toBeTruthy();
  expect(screen.getByText(/It says nothing about what comes after them/)).toBeTruthy();
});

test('a seal of another day than the publication has its day', () => {
  const heads = aPublication();
  const sealed_at = '2025-12-30T17:31:00.000Z';
  renderAt(
    '/solvency',
    <SealsPanel heads={{ ...heads, heads: heads.heads.map((head) => ({ ...head, sealed_at })) }} />,
  );
  expect(screen.getAllByRole('definition')[1]?.textContent).toBe('No. 9120, 30 Dec 2025, 17:31 UTC22222222…22222222');
});

test('the saved file is exactly what was published', async () => {
  const saved = savedFiles();
  const heads = aPublication();
  renderAt('/solvency', <SealsPanel heads={heads} />);
  fireEvent.click(screen.getByRole('button', { name: 'Download seals' }));
  expect(await saved[0]?.file.text()).toBe(`${JSON.stringify(heads)}\n`);
});

test('before the first hour it says when there will be some', () => {
  renderAt('/solvency', <SealsPanel heads={null} />);
  expect(screen.getByText('Nothing published yet')).toBeTruthy();
});
