import { beforeAll, test } from 'vitest';
import { startDemoServer } from './demo-world.ts';
import { checkPages } from './page-checks.ts';
import { otherSignedInPages } from './page-list.ts';
import { type Opened, openStage } from './stage.ts';
import { signInAs } from './steps.ts';

/** The pages that pages.e2e.ts leaves out, checked in the same way. */
const stage = openStage(() => startDemoServer('pages_rest', { JOBS: 'off' }));
let opened: Opened;
beforeAll(async () => {
  opened = await stage.openPage({ colorScheme: 'dark' });
});

test('signed-in pages pass the checks', async () => {
  await signInAs(opened.page);
  await checkPages(opened.context, otherSignedInPages);
});
