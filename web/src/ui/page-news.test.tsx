import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { expect, test } from 'vitest';
import { theme } from './frame/theme.ts';
import { PageNews } from './page-news.tsx';

const Frame = () => (
  <>
    <PageNews />
    <Outlet />
  </>
);

test('the page that a link leads to is announced, also when its title comes later; the first page is not', async () => {
  const router = createMemoryRouter([
    {
      element: <Frame />,
      children: [
        { path: '/', element: <title>Dashboard</title> },
        { path: '/deposits', element: <title>Deposit</title> },
        { path: '/late', element: <p>Loading</p> },
      ],
    },
  ]);
  render(
    <MantineProvider theme={theme}>
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  const said = () => screen.getByRole('status').textContent;
  expect(said()).toBe('');
  await act(() => router.navigate('/deposits'));
  await expect.poll(said).toBe('Deposit');
  await act(() => router.navigate('/late'));
  document.title = 'Portfolio';
  await expect.poll(said).toBe('Portfolio');
});
