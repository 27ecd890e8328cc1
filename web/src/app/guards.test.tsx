import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import type { User } from '#contract/accounts/sign-in.ts';
import { addressNow, renderAt } from '../../test/render.tsx';
import { signIn } from '../api/sign-in-state.ts';
import { SignedOutOnly } from './guards.tsx';
import { SignedInOnly } from './signed-in-only.tsx';

const open = (path: string) =>
  renderAt(
    path,
    <Routes>
      <Route element={<SignedOutOnly />}>
        <Route path="/" element="login" />
        <Route path="/register" element="register" />
      </Route>
      <Route element={<SignedInOnly />}>
        <Route path="/dashboard" element="dashboard" />
        <Route path="/:symbol" element="detail" />
      </Route>
    </Routes>,
  );

describe('signed out', () => {
  test.each(['/', '/register'])('%s is shown', (path) => {
    open(path);
    expect(addressNow()).toBe(path);
  });

  test.each(['/dashboard', '/btc'])('%s redirects to the login page', (path) => {
    open(path);
    expect(addressNow()).toBe('/');
    expect(screen.getByText('login')).toBeDefined();
  });
});

describe('signed in', () => {
  beforeEach(() => signIn('secret', { id: '7', name: 'Anika Rao' } as User));

  test.each(['/', '/register'])('%s redirects to the dashboard', (path) => {
    open(path);
    expect(addressNow()).toBe('/dashboard');
  });

  test('an asset has its page', () => {
    open('/btc');
    expect(screen.getByText('detail')).toBeDefined();
  });
});

test('an address that belongs to no asset is not found', () => {
  open('/nothing');
  expect(screen.getByText('This page does not exist')).toBeDefined();
  expect(addressNow()).toBe('/nothing');
});
