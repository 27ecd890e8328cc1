import { afterAll, onTestFinished, TestRunner } from 'vitest';

type Closable = { readonly close: () => unknown } | { readonly database: { readonly close: () => unknown } };

/**
 * What a whole test file works on: opened as the file is read, closed after its last test, what was opened last first.
 * `const world = closeAfterAll(await openFundsWorld());` What a test opens for itself is closed after that test.
 */
export function closeAfterAll<T extends Closable>(opened: T): T {
  const close = async () => void (await ('close' in opened ? opened.close() : opened.database.close()));
  if (TestRunner.getCurrentTest() === undefined) afterAll(close);
  else onTestFinished(close);
  return opened;
}
