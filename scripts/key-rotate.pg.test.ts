import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { startRoleCluster } from '#test/database/ready-clusters.ts';
import { runScript } from '#test/kit/run-script.ts';

const { cluster, urls } = await startRoleCluster();
closeAfterAll({ close: () => cluster.stop() });

test('keys are rotated, listed and retired as the server’s role', async () => {
  for (const words of [[], ['--list'], ['--retire']])
    expect(await runScript('key-rotate.ts', words, { DATABASE_URL: urls.app })).toMatchObject({
      stdout: expect.stringMatching(/^otp: version 2, .*, current$/m),
      stderr: '',
      code: 0,
    });
});
