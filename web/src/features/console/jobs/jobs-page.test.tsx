import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aJob, signInAs } from '../../../../test/console.ts';
import { showPage } from '../../../../test/render.tsx';
import { success } from '../../../../test/server.ts';
import { JobsPage } from './jobs-page.tsx';

const failing = aJob({
  name: 'payout.run',
  kind: 'loop',
  cron: null,
  state: 'failing',
  last_success_at: null,
  last_fault_at: '2026-03-04T12:05:00.000Z',
  last_fault: 'ECONNREFUSED',
  failures: 3,
});
const mail = {
  id: '4',
  to: 'a•••@m•••.test',
  subject: 'Your code',
  tries: 9,
  fault: 'ECONNREFUSED',
  created_at: '2026-03-04T12:00:00.000Z',
};

function open(at = '/operator/jobs') {
  const { calls } = showPage(at, <JobsPage />, {
    'GET /operator/jobs': success({ items: [failing, aJob()] }),
    'GET /operator/failed-emails': success({ items: [mail], next_cursor: null }),
    'POST /operator/jobs/ledger.seal/run': success(null),
    'POST /operator/failed-emails/4/retry': success(null),
  });
  return (name: string) => calls.filter((call) => call.name === name).length;
}
const rowOf = async (text: string) => (await screen.findByText(text)).closest('tr')?.textContent;

test('where their columns do not fit, the last success and error are below the name', async () => {
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(358);
  signInAs({ role: 'support' });
  open();
  expect(await rowOf('payout.run')).toBe('payout.runruns continuouslysuccess neverECONNREFUSEDFailing');
  expect(await rowOf('ledger.seal')).toMatch(/UTCsuccess .* agoWaiting$/);
  width.mockRestore();
});

test('each job shows its state, its last success and its error', async () => {
  signInAs({ role: 'support' });
  open();
  expect(await rowOf('payout.run')).toBe(
    'payout.runruns continuouslyFailingnever1,204 msECONNREFUSED4 Mar, 12:05 UTC, 3 in a row',
  );
  expect(await rowOf('ledger.seal')).toContain('queue, * * * * * UTCWaiting');
  expect(screen.queryByRole('button', { name: 'Run now: ledger.seal' })).toBeNull();
  expect(screen.queryByRole('tab', { name: 'Failed emails' })).toBeNull();
});

test('an admin can request a run of a queue, but not of a loop', async () => {
  signInAs({ role: 'admin' });
  const asked = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Run now: ledger.seal' }));
  await waitFor(() => expect(asked('POST /operator/jobs/ledger.seal/run')).toBe(1));
  expect(screen.queryByRole('button', { name: 'Run now: payout.run' })).toBeNull();
});

test('an admin can resend emails that failed permanently', async () => {
  signInAs({ role: 'admin' });
  const asked = open('/operator/jobs?tab=emails');
  expect(await rowOf('Your code')).toContain('a•••@m•••.test9ECONNREFUSED');
  fireEvent.click(screen.getByRole('button', { name: 'Resend “Your code”' }));
  await waitFor(() => expect(asked('POST /operator/failed-emails/4/retry')).toBe(1));
});
