import { base32nopad } from '@scure/base';
import type { Page } from 'playwright-core';
import { enterCode } from './steps.ts';

/**
 * The first sign-in of an operator: password, a new authenticator key, and its first code.
 *
 * @param codeOf the code of an authenticator app with this secret
 * @param look called before the code is entered
 */
export async function setUpOperator(
  page: Page,
  { email, password }: { readonly email: string; readonly password: string },
  codeOf: (secret: Uint8Array) => string,
  look: (page: Page) => Promise<void> = async () => {},
): Promise<Uint8Array> {
  await page.goto('/operator');
  await page.getByLabel('Email id').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const uri = await page.getByRole('link', { name: 'Open the app' }).getAttribute('href');
  const secret = base32nopad.decode(new URL(uri ?? '').searchParams.get('secret') ?? '');
  await look(page);
  await enterCode(page, codeOf(secret));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return secret;
}
