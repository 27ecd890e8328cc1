import { expect, test } from 'vitest';
import { numberNotifications } from './number-notifications.ts';

const notification = (id: string) => ({ id, message: `m${id}`, createdAt: '2026-03-04T14:03:00Z', read: false });
const numbered = (pages: string[][]) =>
  numberNotifications(pages.map((ids) => ({ items: ids.map(notification) }))).map(
    ({ number, id }) => `${number}:${id}`,
  );

test.each([
  ['one page counts from 1, newest first', [['9', '8', '7']], ['1:9', '2:8', '3:7']],
  [
    'numbers run on through the pages',
    [
      ['9', '8'],
      ['7', '6'],
    ],
    ['1:9', '2:8', '3:7', '4:6'],
  ],
  [
    'a line that two pages carry is numbered once',
    [
      ['9', '8'],
      ['8', '7'],
    ],
    ['1:9', '2:8', '3:7'],
  ],
  ['nothing is numbered nothing', [[]], []],
])('%s', (_name, pages, expected) => {
  expect(numbered(pages)).toEqual(expected);
});
