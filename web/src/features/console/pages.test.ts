import { expect, test, vi } from 'vitest';
import { operatorAccounts } from '#contract/accounts/operators.ts';
import { operatorAnnouncements } from '#contract/operator/announcements.ts';
import { outbox } from '#contract/operator/jobs.ts';
import { operatorTickets } from '#contract/tickets/tickets.ts';

async function pagesWith(outbox: boolean) {
  document.body.innerHTML = `<script type="application/json" id="app-info">${JSON.stringify({ mode: 'paper', outbox })}</script>`;
  vi.resetModules();
  return (await import('./pages.ts')).consolePages;
}

test.each([true, false])('the outbox is a page where emails stay in it: %s', async (outbox) => {
  expect((await pagesWith(outbox)).some(({ path }) => path === 'outbox')).toBe(outbox);
});

test.each([
  ['tickets', operatorTickets.listOperatorTickets],
  ['announcements', operatorAnnouncements.listOperatorAnnouncements],
  ['operators', operatorAccounts.listOperators],
  ['outbox', outbox.listOutbox],
])('%s is a page of those who may read it', async (name, { access }) => {
  const page = (await pagesWith(true)).find(({ path }) => path === name);
  expect(page?.roles).toEqual(access);
});
