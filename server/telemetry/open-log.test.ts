import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { hideTexts, openLog } from './open-log.ts';

const PROJECT = join(import.meta.dirname, '../..');

/** A separate process, since its exit is what is tested. */
function logAndEnd(ending: string) {
  const program = `
    import { readConfig } from '#server/config.ts';
    import { openLog } from '#server/telemetry/open-log.ts';
    const log = openLog(readConfig({ DATA_DIR: 'unused' }));
    for (let line = 1; line <= 500; line += 1) log.info({ line }, 'answered');
    ${ending}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test.each([
  ['exits normally', ''],
  ['exits on a fault', 'process.exit(1);'],
  ['runs for a while before it is killed', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000);"],
])('buffered lines are all written when the process %s', (_how, ending) => {
  expect(logAndEnd(ending).map(({ line }) => line)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
});

test('a fatal line, and the lines buffered before it, are written at once', () => {
  const lines = logAndEnd("log.fatal({ line: 501 }, 'the end'); process.kill(process.pid, 'SIGKILL');");
  expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 501 }, (_, index) => index + 1));
});

test('a line has its own level, time and message, and nothing of the machine', () => {
  expect(Object.keys(logAndEnd('')[0] ?? {})).toEqual(['level', 'time', 'line', 'msg']);
});

test('of a secret that begins like another one nothing is left', () => {
  expect(hideTexts(['the secret', 'the secret of before'])('not the secret of before')).toBe('not [hidden]');
});

test('the password that several database servers share is in no line', () => {
  let written = '';
  const address = 'postgresql://u:shared-by-them@a:5432,b:5432/d';
  const config = readConfig({ DATABASE_URL: address });
  const write = (text: string) => {
    written += text;
  };
  openLog(config, { write }).warn({ address }, 'as it is shared-by-them');
  expect(written).toContain('[hidden]');
  expect(written).not.toContain('shared-by-them');
});
