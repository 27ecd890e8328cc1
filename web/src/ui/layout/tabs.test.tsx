import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { Tabs } from './tabs.tsx';

test('there is one panel, labelled by the selected tab; selecting another reports it', () => {
  const onChange = vi.fn();
  const tabs = [
    { value: 'closed', label: 'Closed trades', count: 214 },
    { value: 'queued', label: 'Queued' },
  ] as const;
  renderAt(
    '/',
    <Tabs label="Trades" tabs={tabs} value="closed" onChange={onChange}>
      the closed ones
    </Tabs>,
  );
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Closed trades214');
  expect(screen.getByRole('tabpanel', { name: 'Closed trades 214' }).textContent).toBe('the closed ones');
  fireEvent.click(screen.getByRole('tab', { name: 'Queued' }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith('queued');
});
