import { afterAll } from 'vitest';

type Closable = { readonly close: () => unknown } | { readonly database: { readonly close: () => unknown } };

/**
 * What a whole test file works on: opened as the file is read, closed after its last test, what was opened last first.
 * `const world = closeAfterAll(await openFundsWorld());`
 */
export function closeAfterAll<T extends Closable>(opened: T): T {
  afterAll(async () => {
    await ('close' in opened ? opened.close() : opened.database.close());
  });
  return opened;
}
