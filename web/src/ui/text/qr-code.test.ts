import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrPath } from './qr-code.tsx';

test.each([
  [[], ''],
  [[[false, false]], ''],
  [[[true]], 'M0 0h1v1h-1z'],
  [[[true, false, true, true]], 'M0 0h1v1h-1zM2 0h2v1h-2z'],
  [
    [
      [true, true, false],
      [false, false, true],
    ],
    'M0 0h2v1h-2zM2 1h1v1h-1z',
  ],
])('%j is drawn as %j', (rows, path) => {
  expect(qrPath(rows)).toBe(path);
});

test('the path covers each dark module of a code exactly once, and no other', () => {
  const { data, size } = encode('https://app.test/register?referralCode=TW7K3QMX9D');
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => 0));
  for (const [, x, y, length] of qrPath(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let step = 0; step < Number(length); step += 1) {
      const row = drawn[Number(y)] ?? [];
      row[Number(x) + step] = (row[Number(x) + step] ?? 0) + 1;
    }
  }
  expect(drawn).toEqual(data.map((row) => row.map(Number)));
});
