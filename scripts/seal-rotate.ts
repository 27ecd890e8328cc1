import { parseArgs } from 'node:util';
import { fingerprintOf } from '#server/signing/index.ts';
import { rotateSealKey } from '#server/solvency/index.ts';
import { print, readDatabase, runWithConfig } from './run-command.ts';

/**
 * `npm run seal:rotate`: introduces a new seal key, signed by the previous one; `-- --lost` if that one is lost
 * (docs/operations.md, "Secrets"). Restart the worker afterwards.
 */
await runWithConfig((config) => {
  const { lost } = parseArgs({ options: { lost: { type: 'boolean', default: false } } }).values;
  return readDatabase<0>(config, async (context) => {
    const statements = await rotateSealKey(context, config.sealKeyFile, lost);
    const { no, public_key: key } = statements.at(-1) as (typeof statements)[number];
    print(`Seal key ${no}: ${fingerprintOf(key)}`, 'Restart the worker, back up the file and publish the fingerprint.');
    return 0;
  });
});
