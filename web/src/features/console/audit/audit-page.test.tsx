import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#contract/operator/audit.ts';
import { showConsolePage, signInAs } from '../../../../test/console.ts';
import { addressNow } from '../../../../test/render.tsx';
import { refused, success } from '../../../../test/server.ts';
import { AuditPage, filterOf } from './audit-page.tsx';

const entry: AuditEntry = {
  id: '66',
  at: '2026-03-04T12:00:00.000Z',
  actor: { kind: 'operator', id: '2', name: 'Ines Duarte' },
  action: 'member.freeze',
  subject: 'member:41',
  before: { frozen: false },
  after: { frozen: true, why: '<b>fraud</b>' },
  address: '127.0.0.1',
  seal: null,
};

const open = (items: AuditEntry[], at = '/operator/audit') =>
  showConsolePage(AuditPage, at, { 'GET /operator/audit': success({ items, next_cursor: null }) });

beforeEach(() => signInAs({ role: 'support' }));

test('an entry says who did what to whom, and expands to everything recorded', async () => {
  open([entry]);
  const row = (await screen.findByText('Ines Duarte')).closest('tr');
  expect(row?.textContent).toBe(
    '4 Mar 202612:00Ines Duartemember.freezemember:41frozen: false → true, why: "<b>fraud</b>"',
  );
  if (row) fireEvent.click(row);
  const shown = within(await screen.findByRole('complementary', { name: 'Audit entry member.freeze' }));
  expect(shown.getByText('Ines Duarte (operator 2)')).toBeDefined();
  expect(shown.getByText(/"why": "<b>fraud<\/b>"/)).toBeDefined();
  expect(shown.getByText('within the next minute')).toBeDefined();
});

test('a link opens an entry that is not among the newest, and an unknown id is reported', async () => {
  const found = ({ url }: { url: string }) =>
    success({ items: url.includes('id=66') ? [entry] : [], next_cursor: null });
  showConsolePage(AuditPage, '/operator/audit/66', { 'GET /operator/audit': found });
  expect(await screen.findByRole('complementary', { name: 'Audit entry member.freeze' })).toBeDefined();
  cleanup();
  showConsolePage(AuditPage, '/operator/audit/67', { 'GET /operator/audit': found });
  expect(await screen.findByText('No audit entry at this address.')).toBeDefined();
});

test('the search goes into the address and to the server, and its field keeps the focus', async () => {
  const { sentTo } = open([entry], '/operator/audit?actor=operator');
  const field = await screen.findByRole('searchbox', { name: 'Search' });
  field.focus();
  fireEvent.change(field, { target: { value: ' fraud ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(addressNow()).toBe('/operator/audit?text=fraud&actor=operator'));
  expect(document.activeElement).toBe(field);
  expect(field).toHaveProperty('value', 'fraud');
  await waitFor(() => {
    const asked = sentTo('GET /operator/audit').at(-1);
    expect(asked?.url).toContain('actor=operator&text=fraud');
  });
});

test('an invalid day in the address is ignored, and the page loads', async () => {
  open([], '/operator/audit?from=yesterday');
  expect(await screen.findByRole('textbox', { name: 'From' })).toHaveProperty('value', '');
});

test('a search without matches can be cleared', async () => {
  open([], '/operator/audit?text=nothing');
  expect(await screen.findByText('No matching entries')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(addressNow()).toBe('/operator/audit'));
  expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveProperty('value', '');
});

test('a filter that the server refuses can be cleared', async () => {
  showConsolePage(AuditPage, '/operator/audit?from=2026-12-01&to=2026-01-01', {
    'GET /operator/audit': refused(422, 'validation', 'The period ends before it begins.', 'to'),
  });
  expect(await screen.findByText('Change the filter')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
  await waitFor(() => expect(addressNow()).toBe('/operator/audit'));
});

test.each([
  ['', {}],
  ['actor=operator&action=member.freeze', { actor: 'operator', action: 'member.freeze' }],
  ['actor=nobody&text=%20', {}],
  ['text=%20two%20words%20&subject=member:17', { text: 'two words', subject: 'member:17' }],
  ['from=2026-03-04&to=2026-03-04', { from: '2026-03-04T00:00:00.000Z', to: '2026-03-05T00:00:00.000Z' }],
  ['from=yesterday&to=2026-13-40', {}],
  ['from=2026-02-30', {}],
])('%s requests %j', (search, filter) => {
  expect(filterOf(new URLSearchParams(search))).toEqual(filter);
});
