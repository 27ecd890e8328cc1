import { expect, test, vi } from 'vitest';

test.each([true, false])('the outbox is a page where emails stay in it: %s', async (outbox) => {
  document.body.innerHTML = `<script type="application/json" id="app-info">${JSON.stringify({ mode: 'paper', outbox })}</script>`;
  vi.resetModules();
  const { consolePages } = await import('./pages.ts');
  expect(consolePages.some(({ path }) => path === 'outbox')).toBe(outbox);
});
