import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { openSealKey } from '#server/signing/index.ts';
import { readLastSeals, rotateSealKey } from '#server/solvency/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { checkIntegrity } from './check-integrity.ts';

const { context: booted } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
const folder = mkdtempSync(join(tmpdir(), 'tradewind-rotated-'));
closeAfterAll({ close: () => rmSync(folder, { recursive: true }) });
const file = join(folder, 'seal.key');

test('a key rotated before the worker’s restart is no discrepancy; one missing from the file is', async () => {
  const sealKey = await openSealKey(booted, file, () => readLastSeals(booted.db));
  const context: Context = { ...booted, sealKey, config: { ...booted.config, sealKeyFile: file } };
  await sealAudit(context);
  await rotateSealKey(context, file, false);
  expect(await checkIntegrity(context, 'whole')).toMatchObject({ findings: [] });
  rmSync(file);
  expect(await checkIntegrity(context, 'whole')).toMatchObject({
    findings: [
      { check: 'signatures', subject: 'seal key 2', message: expect.stringContaining('none in the key file') },
    ],
  });
});
