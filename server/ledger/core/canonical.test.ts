import { expect, test } from 'vitest';
import { checkpointBytes, sealBytes, type TransferFields, transferBytes } from './canonical.ts';

const worked: TransferFields = {
  id: 1n,
  from_account: 6n,
  to_account: 33n,
  amount: 1_000_000n,
  from_balance_after: null,
  to_balance_after: 1_000_000n,
  reverses: null,
  tx: 700n,
  market_at_micros: 946_684_800_000_001n,
  created_at_micros: 946_684_799_999_999n,
  reason: 'deposit',
  key: 'é',
  reference: '',
  note: null,
};

test('the bytes match values worked out by hand: number of columns, then type, length and bytes of each', () => {
  const int8 = (hex: string) => `00000014${'00000008'}${hex.padStart(16, '0')}`;
  const absent = (type: string) => `${type}ffffffff`;
  const instant = (hex: string) => `000004a0${'00000008'}${hex}`;
  const text = (hex: string) => `00000011${(hex.length / 2).toString(16).padStart(8, '0')}${hex}`;
  const expected = [
    '0000000e',
    int8('1'),
    int8('6'),
    int8('21'),
    int8('0f4240'),
    absent('00000014'),
    int8('0f4240'),
    absent('00000014'),
    int8('02bc'),
    instant('0000000000000001'),
    instant('ffffffffffffffff'),
    text('6465706f736974'),
    text('c3a9'),
    text(''),
    absent('00000011'),
  ];
  expect(transferBytes(worked).toString('hex')).toBe(expected.join(''));
});

test('text that moves from one field to the next changes the bytes', () => {
  const split = (key: string, reference: string) => transferBytes({ ...worked, key, reference }).toString('hex');
  expect(split('ab', 'c')).not.toBe(split('a', 'bc'));
  expect(transferBytes({ ...worked, note: '' }).equals(transferBytes({ ...worked, note: null }))).toBe(false);
});

test('a checkpoint and a seal start with their own names', () => {
  expect(checkpointBytes({ seal_no: 1n, class: 6, balance: -5n }).toString('latin1')).toContain('checkpoint');
  const seal = {
    no: 1n,
    horizon: 2n,
    transfer_count: 3n,
    root: Buffer.alloc(32),
    previous_hash: Buffer.alloc(32),
    sealed_at_micros: 0n,
  };
  expect(sealBytes(seal).toString('latin1')).toContain('seal');
});
