import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme');

test('the first press opens the menu, and the choice becomes the theme', async () => {
  renderAt('/', <ThemeSwitch />);
  fireEvent.click(screen.getByRole('button', { name: 'Change theme' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Dark' }));
  await waitFor(() => expect(scheme()).toBe('dark'));
  fireEvent.click(screen.getByRole('button', { name: 'Change theme' }));
  const light = await screen.findByRole('menuitem', { name: 'Light' });
  expect(screen.getByRole('menuitem', { name: 'Dark' }).getAttribute('aria-checked')).toBe('true');
  fireEvent.click(light);
  await waitFor(() => expect(scheme()).toBe('light'));
});
