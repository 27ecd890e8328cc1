import { onTestFinished, vi } from 'vitest';
import { type Catalogue, createTexts } from '#contract/texts.ts';

/** What `load` imports, in a language that has these texts, until the test ends. */
export function inLanguage<Module>(catalogue: Catalogue, load: () => Promise<Module>): Promise<Module> {
  vi.resetModules();
  vi.doMock('../src/api/texts.ts', () => createTexts('de', catalogue));
  onTestFinished(() => {
    vi.doUnmock('../src/api/texts.ts');
    vi.resetModules();
  });
  return load();
}
