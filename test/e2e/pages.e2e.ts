import { beforeAll, test } from 'vitest';
import { startDemoServer } from './demo-world.ts';
import { checkPages } from './page-checks.ts';
import { firstSignedInPages, signedOutPages } from './page-list.ts';
import { type Opened, openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/**
 * Pages of the demo world, checked automatically on desktop and phone, in both themes; the others are in
 * pages-rest.e2e.ts, so that the two run in parallel. The world has no jobs: a running market would only cost time.
 */
const stage = openStage(() => startDemoServer('pages', { JOBS: 'off' }));
let opened: Opened;
beforeAll(async () => {
  opened = await stage.openPage({ colorScheme: 'dark' });
});

test('signed-out pages pass the checks', () => checkPages(opened.context, signedOutPages));

test('signed-in pages pass the checks', async () => {
  await signInAs(opened.page);
  await checkPages(opened.context, firstSignedInPages);
});
