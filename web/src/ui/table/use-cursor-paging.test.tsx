import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useCursorPaging } from './use-cursor-paging.ts';

const first = { items: [1, 2, 3], next_cursor: 'b', total: 5 };
const second = { items: [4, 5], next_cursor: null, total: 5 };

test('earlier goes by the server’s cursor, newer back the same way, and rows are counted', () => {
  const { result } = renderHook(() => useCursorPaging());
  expect(result.current.cursor).toBeUndefined();
  expect(result.current.pagingOf(undefined)).toMatchObject({ skipped: 0, onNewer: undefined, onEarlier: undefined });

  act(() => result.current.pagingOf(first).onEarlier?.());
  expect(result.current.cursor).toBe('b');
  expect(result.current.pagingOf(second)).toMatchObject({ skipped: 3, total: 5, onEarlier: undefined });

  act(() => result.current.pagingOf(second).onNewer?.());
  expect(result.current.cursor).toBeUndefined();
  expect(result.current.pagingOf(first).skipped).toBe(0);
});

test('a changed filter begins at the newest again', () => {
  const { result } = renderHook(() => useCursorPaging());
  act(() => result.current.pagingOf(first).onEarlier?.());
  act(() => result.current.reset());
  expect(result.current.cursor).toBeUndefined();
});
