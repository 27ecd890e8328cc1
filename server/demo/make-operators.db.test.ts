import { expect, test } from 'vitest';
import { ensureCompany, signInOperator } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testContext } from '#test/worlds/builders.ts';
import { demoOrigin, ensureDemoAdmins } from './make-operators.ts';

test('admins of a demo world keep their passwords across restarts, and each installation has its own', async () => {
  const databases = [await openTestDatabase(), await openTestDatabase()];
  const [here, elsewhere] = databases.map((database) => testContext(database)) as [Context, Context];
  await ensureCompany(here);
  await ensureCompany(elsewhere);
  const logins = await ensureDemoAdmins(here);
  expect(logins).toHaveLength(2);
  for (const { email, password } of logins) {
    expect(password).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const signedIn = await signInOperator(here, { email, password, ...demoOrigin });
    expect(signedIn).toMatchObject({ operator: { role: 'admin' }, missing: 'any' });
  }
  expect(await ensureDemoAdmins(here)).toEqual(logins);
  const others = await ensureDemoAdmins(elsewhere);
  const words = new Set([...logins, ...others].map(({ password }) => password));
  expect(words.size).toBe(4);
  for (const database of databases) await database.close();
});
