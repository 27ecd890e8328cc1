import { expect, test, vi } from 'vitest';

vi.mock('../../api/texts.ts', async (original) => {
  const { createTexts } = await import('#contract/texts.ts');
  const texts = createTexts('en');
  const t: typeof texts.t = (strings, ...values) => `«${texts.t(strings, ...values)}»`;
  return { ...(await original<object>()), t };
});

test('each head of the file of all trades is in the chosen language', async () => {
  const { tradesCsv } = await import('./export-menu.tsx');
  const [heads = ''] = tradesCsv([]).replace('\uFEFF', '').split('\r\n');
  expect(heads.replaceAll('"', '').replace(/«[^»]*»( \(USD\))?,?/g, '')).toBe('');
});
