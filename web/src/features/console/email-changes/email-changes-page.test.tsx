import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { EmailChange, OpenEmailRequest } from '#contract/operator/email-changes.ts';
import { aLoosening, approveShown, proposed, showConsolePage, signInAs } from '../../../../test/console.ts';
import { refused, success } from '../../../../test/server.ts';
import { EmailChangesPage } from './email-changes-page.tsx';

const { member } = aLoosening();
const aChange = (given: Partial<EmailChange> = {}): EmailChange => ({
  ...proposed,
  reference: 'EC-7M2QX4',
  member,
  email: 'new@mail.test',
  reason: 'Called back on the known number.',
  ...given,
});
const aRequest = (given: Partial<OpenEmailRequest> = {}): OpenEmailRequest => ({
  member,
  email: 'new@mail.test',
  requested_at: '2026-03-04T12:00:00.000Z',
  proposed: false,
  ...given,
});

function open(at: string, { changes = [], requests = [] }: { changes?: EmailChange[]; requests?: OpenEmailRequest[] }) {
  return showConsolePage(EmailChangesPage, `/operator/email-changes${at}`, {
    'GET /operator/email-changes': success({ items: changes, next_cursor: null }),
    'GET /operator/email-requests': success(requests),
    'POST /operator/email-changes/6/approve': success(aChange({ state: 'approved', version: 2 })),
  });
}

beforeEach(() => signInAs());

test('a request links to the member’s page until the change is proposed', async () => {
  const other = { id: '42', referral_code: 'TWJ4P8ZC6R', name: 'Omar Haddad' };
  open('', { requests: [aRequest(), aRequest({ member: other, proposed: true })] });
  const requests = within(await screen.findByRole('region', { name: 'Requests' }));
  const link = requests.getByRole('link', { name: member.name });
  expect(link.getAttribute('href')).toBe(`/operator/members/${member.id}`);
  expect(link.closest('li')?.textContent).toContain('requested 4 Mar 2026, 12:00 UTC');
  expect(requests.queryByText('Omar Haddad')).toBeNull();
});

test('requests that could not be loaded are not shown as none, and can be retried', async () => {
  let isBroken = true;
  showConsolePage(EmailChangesPage, '/operator/email-changes', {
    'GET /operator/email-changes': success({ items: [], next_cursor: null }),
    'GET /operator/email-requests': () => (isBroken ? refused(500, 'internal', 'Broken.') : success([aRequest()])),
  });
  expect(await screen.findByText('The list could not be loaded')).toBeDefined();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: member.name })).toBeDefined();
});

test('a second operator approves a proposal with a code, after reading what it does', async () => {
  const page = open('/6', { changes: [aChange()] });
  const label = 'Proposal EC-7M2QX4';
  const shown = within(await screen.findByRole('complementary', { name: label }));
  expect(shown.getByText('Called back on the known number.')).toBeDefined();
  expect(await approveShown(label, 'POST /operator/email-changes/6/approve', page)).toContain(
    `The email address of ${member.name} changes to new@mail.test in 7 days`,
  );
});

const decided = { decided_by: { id: '3', name: 'Olga Berg' }, decided_at: '2026-03-04T13:00:00.000Z' };
const ended = { ended_by: { id: '4', name: 'Samuel Ortiz' }, ended_at: '2026-03-06T13:00:00.000Z' };
test.each<[string, Partial<EmailChange>, RegExp]>([
  [
    'while it waits',
    { state: 'approved', due_at: '2026-03-11T13:00:00.000Z' },
    /DecidedOlga Berg, 4 Mar 2026, 13:00 UTC.*Takes effect11 Mar 2026, 13:00 UTC/,
  ],
  [
    'and who withdrew it afterwards',
    { state: 'withdrawn', ...ended },
    /DecidedOlga Berg, 4 Mar 2026, 13:00 UTC.*WithdrawnSamuel Ortiz, 6 Mar 2026, 13:00 UTC/,
  ],
])('who approved a change is named %s', async (_, given, says) => {
  open('/6', { changes: [aChange({ ...decided, ...given })] });
  const shown = await screen.findByRole('complementary', { name: 'Proposal EC-7M2QX4' });
  expect(shown.textContent).toMatch(says);
});

test('for a closed account the address is gone', async () => {
  open('/6', { changes: [aChange({ email: null })] });
  const shown = within(await screen.findByRole('complementary', { name: 'Proposal EC-7M2QX4' }));
  expect(shown.getByText('Deleted with the account')).toBeDefined();
});
