import { expect, test } from 'vitest';
import { type ShownItem, treeStep } from './use-tree.ts';

const item = (level: number, name: string, expanded?: boolean): ShownItem => ({ level, name, expanded });

// Anika ─┬─ Kabir ─┬─ Isha (closed)
//        │         └─ Sofia (nobody below)
//        └─ Meera (closed)
const items = [
  item(1, 'Anika', true),
  item(2, 'Kabir', true),
  item(3, 'Isha', false),
  item(3, 'Sofia'),
  item(2, 'Meera', false),
];

test.each([
  ['ArrowDown', 0, { to: 1 }],
  ['ArrowDown', 3, { to: 4 }],
  ['ArrowDown', 4, undefined],
  ['ArrowUp', 4, { to: 3 }],
  ['ArrowUp', 0, undefined],
  ['Home', 3, { to: 0 }],
  ['End', 1, { to: 4 }],
  // right: expand, then go to the first child, otherwise nothing
  ['ArrowRight', 2, 'toggle'],
  ['ArrowRight', 1, { to: 2 }],
  ['ArrowRight', 3, undefined],
  // left: collapse, otherwise go to the parent, which for Meera is Anika and not Kabir
  ['ArrowLeft', 1, 'toggle'],
  ['ArrowLeft', 3, { to: 1 }],
  ['ArrowLeft', 4, { to: 0 }],
  ['Enter', 2, 'toggle'],
  [' ', 1, 'toggle'],
  ['Enter', 3, undefined],
  // letters: the next name that starts with it, wrapping around
  ['s', 0, { to: 3 }],
  ['K', 4, { to: 1 }],
  ['a', 0, undefined],
  ['x', 0, undefined],
  ['Tab', 2, undefined],
  ['ArrowDown', -1, undefined],
] as const)('%s on item %i', (key, at, step) => {
  expect(treeStep(key, items, at)).toEqual(step);
});

test('right on an expanded branch that is still empty does nothing', () => {
  expect(treeStep('ArrowRight', [item(1, 'Anika', true), item(1, 'Kabir', false)], 0)).toBeUndefined();
});

test('left on the topmost collapsed item does nothing', () => {
  expect(treeStep('ArrowLeft', [item(1, 'Anika', false)], 0)).toBeUndefined();
});
