import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { arrived } from '../../ui/table/data-table-states.tsx';
import { RecentMovements } from './recent-movements.tsx';

test.each([
  [true, null],
  [false, 'true'],
])('transactions are announced as loading unless that failed (%s)', async (isError, busy) => {
  renderAt('/dashboard', <RecentMovements query={{ ...arrived, isError, data: undefined }} />);
  const list = await screen.findByRole('list', { name: 'Recent transactions' });
  expect(list.getAttribute('aria-busy')).toBe(busy);
});
