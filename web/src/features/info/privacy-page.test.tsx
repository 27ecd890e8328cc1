import { screen } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { renderAt } from '../../../test/render.tsx';
import { appInfo } from '../../api/app-info.ts';
import { PrivacyPage } from './privacy-page.tsx';

test('what signing out leaves in the browser is named', () => {
  renderAt('/privacy', <PrivacyPage />);
  expect(screen.getByText(/a token for each account that has signed in here/)).toBeTruthy();
  expect(screen.getByText(/Signing out removes the sign-in token, your details and the announcement\./)).toBeTruthy();
  expect(screen.getByText(/^A browser is known for 180 days/)).toBeTruthy();
});

test.each([true, false])('emails are described as they are handled, with an outbox: %s', (outbox) => {
  const before = appInfo.outbox;
  onTestFinished(() => void Object.assign(appInfo, { outbox: before }));
  appInfo.outbox = outbox;
  renderAt('/privacy', <PrivacyPage />);
  const shown = (text: RegExp) => screen.queryByText(text) !== null;
  expect(shown(/^This site sends no emails/)).toBe(outbox);
  expect([shown(/^The operator’s email server/), shown(/^The text of an email is deleted once/)]).toEqual([
    !outbox,
    !outbox,
  ]);
});
