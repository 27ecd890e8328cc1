import { parseArgs } from 'node:util';
import {
  type KeyVersion,
  listKeyVersions,
  otpKeyUse,
  retireServerKeys,
  rotateServerKeys,
} from '#server/accounts/index.ts';
import { BadConfig } from '#server/config.ts';
import { bringUpToDate } from '#server/migrate-database.ts';
import { snapshotKeyUse } from '#server/solvency/index.ts';
import { counted, print, runWithConfig, withDatabase } from './run-command.ts';

const uses = [otpKeyUse, snapshotKeyUse];

/**
 * `npm run key:rotate`: creates new versions of the keys that the installation generated, lists them, or deletes old
 * ones (docs/operations.md, "Secrets"). Running processes use a new version from their next request.
 */
await runWithConfig((config) => {
  const flag = { type: 'boolean', default: false } as const;
  const { list, retire } = parseArgs({ options: { list: flag, retire: flag } }).values;
  if (list && retire) throw new BadConfig('--retire: cannot be combined with --list, which changes nothing');
  return withDatabase(config, async (context, database) => {
    await bringUpToDate(config, database);
    if (!list && !retire)
      await rotateServerKeys(
        context,
        uses.map(({ name }) => name),
      );
    if (retire)
      for (const { name, version } of await retireServerKeys(context, uses))
        print(`${name}: version ${version} deleted`);
    print(...(await listKeyVersions(context.db, uses)).map(describe));
    return 0 as const;
  });
});

function describe({ name, version, createdAt, isCurrent, rows, retirableAt }: KeyVersion): string {
  const named = `named by ${counted(rows, 'row', 'rows')}`;
  const state = isCurrent ? 'current' : rows > 0 ? 'in use' : `can be retired from ${retirableAt?.toISOString()}`;
  return `${name}: version ${version}, made ${createdAt.toISOString()}, ${named}, ${state}`;
}
