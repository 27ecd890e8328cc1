import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const reload = vi.fn();
/** A page load, on a server without catalogues. */
async function beginPage() {
  vi.resetModules();
  return import('./texts.ts');
}
class NoCatalogue {
  status = 404;
  open() {}
  send() {}
}

beforeEach(() => {
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('XMLHttpRequest', NoCatalogue);
  reload.mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('another language is stored, and the page reloads in it', async () => {
  const page = await beginPage();
  page.changeLanguage('en');
  expect(reload).not.toHaveBeenCalled();
  page.changeLanguage('de');
  expect(localStorage.getItem('language')).toBe('"de"');
  expect(reload).toHaveBeenCalledOnce();
});

test('if the catalogue of an account’s language does not load, the page reloads once, not for ever', async () => {
  localStorage.setItem('language', '"de"');
  const page = await beginPage();
  expect(page.language).toBe('en');
  page.changeLanguage('de');
  expect(reload).not.toHaveBeenCalled();
  page.changeLanguage('en');
  expect(localStorage.getItem('language')).toBeNull();
  expect(reload).toHaveBeenCalledOnce();
});

test('where nothing can be stored the page does not reload, so the member stays signed in', async () => {
  vi.mocked(console.error).mockImplementation(() => undefined);
  const fail = () => {
    throw new Error('no storage');
  };
  vi.stubGlobal('localStorage', { getItem: fail, setItem: fail, removeItem: fail });
  (await beginPage()).changeLanguage('de');
  expect(reload).not.toHaveBeenCalled();
  vi.mocked(console.error).mockClear();
});
