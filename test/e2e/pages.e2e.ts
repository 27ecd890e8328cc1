import { beforeAll, test } from 'vitest';
import { startDemoServer } from './demo-world.ts';
import { checkPages } from './page-checks.ts';
import { firstSignedInPages, signedOutPages } from './page-list.ts';
import { type Opened, openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/**
 * Pages of the demo world, looked at by machine on a wide screen and on a phone, in the colours of both themes; the others
 * are in pages-rest.e2e.ts, so that two look at once. The world stands still: a market that goes on would only cost time.
 */
const stage = openStage(() => startDemoServer('pages', { JOBS: 'off' }));
let opened: Opened;
beforeAll(async () => {
  opened = await stage.openPage({ colorScheme: 'dark' });
});

test('signed out', () => checkPages(opened.context, signedOutPages));

test('signed in', async () => {
  await signInAs(opened.page);
  await checkPages(opened.context, firstSignedInPages);
});
