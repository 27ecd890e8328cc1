import { afterAll, onTestFinished, TestRunner } from 'vitest';

type Closable = { readonly close: () => unknown } | { readonly database: { readonly close: () => unknown } };

/**
 * Opens what a whole test file uses: as the file is loaded, and closed after its last test, in reverse order. `const
 * world = closeAfterAll(await openFundsWorld());` What a single test opens is closed after that test.
 */
export function closeAfterAll<T extends Closable>(opened: T): T {
  const close = async () => void (await ('close' in opened ? opened.close() : opened.database.close()));
  if (TestRunner.getCurrentTest() === undefined) afterAll(close);
  else onTestFinished(close);
  return opened;
}
