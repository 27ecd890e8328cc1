import { expect, test } from 'vitest';
import { correctionNotice } from './notices.ts';

test('a correction says how much, which wallet and why', () => {
  const row = { reference: 'AD-7M2QX4', wallet: 'profit', reason: 'Fee taken twice.' } as const;
  expect(correctionNotice({ ...row, signedMicros: 5_000_000n }).message).toBe(
    '$5.00 was added to your Profit Wallet: Fee taken twice.',
  );
  expect(correctionNotice({ ...row, signedMicros: -1_234_500_001n })).toMatchObject({
    message: '$1,234.500001 was deducted from your Profit Wallet: Fee taken twice.',
    mail: { subject: 'Correction AD-7M2QX4 of your Profit Wallet' },
  });
});
