import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recordHours } from '#test/kit/boot.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { boot } from './boot.ts';
import { readConfig } from './config.ts';
import { getMarketTime } from './market/index.ts';

test('the demo world of a recording starts inside it, whenever it was recorded', async () => {
  const recording = recordHours();
  onTestFinished(() => recording.close());
  const folder = mkdtempSync(join(scratchFolder(), 'tradewind-boot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const settings = { ...recording.env, MARKET_START: '', DATA_DIR: folder, DEMO: '1', LOG_LEVEL: 'silent' };
  const { context, database } = await boot(readConfig(settings));
  onTestFinished(() => database.close());
  expect((await getMarketTime(context.db)).toISOString()).toBe('2026-03-04T12:20:00.000Z');
});
