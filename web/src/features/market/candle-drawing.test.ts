import { afterEach, expect, test, vi } from 'vitest';
import type { ChartColours } from '../../ui/charts/chart-colours.ts';

class EmptyCatalogue {
  status = 200;
  responseText = '{}';
  open() {}
  send() {}
}

// Test files share their modules: the next one must not get these, which speak another language.
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  vi.resetModules();
});

test('the dates on the time axis are in the language of the page', async () => {
  vi.stubGlobal('XMLHttpRequest', EmptyCatalogue);
  localStorage.setItem('language', '"de"');
  vi.resetModules();
  const { chartOptions } = await import('./candle-drawing.ts');
  expect(chartOptions({} as ChartColours, String).localization.locale).toBe('de');
});
