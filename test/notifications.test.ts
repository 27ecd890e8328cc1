import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withdrawalStates } from '#contract/funds/withdrawals.ts';
import { mailTopics } from '#contract/notify.ts';
import { mailedByDefault, mailTopicOf } from '#server/notify/core/mail-topic.ts';

const PROJECT = join(import.meta.dirname, '..');

/** The rows of docs/notifications.md. */
const rows = readFileSync(join(PROJECT, 'docs/notifications.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, kind, mail, preference] = /^\| .*? \| `([a-z_]+)`\s*\| (\w+)\s*\| (.*?)\s*\|$/.exec(line) ?? [];
    return kind === undefined || mail === undefined || preference === undefined ? [] : [{ kind, mail, preference }];
  });

/** Kinds as the program writes them: `kind: 'new_device'` and `notice('deposit_review', …)` where notices are made. */
const written = globSync('server/**/*.ts', { cwd: PROJECT })
  .filter((path) => !/\.test\.|test-setup|^server\/(demo|live)\//.test(path))
  .map((path) => readFileSync(join(PROJECT, path), 'utf8'))
  .filter((text) => /#server\/notify\/|Notice\b|recordSecurityChange/.test(text))
  .flatMap((text) => [
    ...text.matchAll(/\b(?:kind: (?:\w+ \? )?|notice\(\s*)'([a-z]+(?:_[a-z]+)+)'(?: : '([a-z_]+)')?/g),
  ])
  .flatMap(([, first, second]) => [first, second].filter((kind) => kind !== undefined));

test('the table names every notification that is written, and none that is not', () => {
  const all = [...new Set([...written, ...withdrawalStates.map((state) => `withdrawal_${state}`)])];
  expect(all.toSorted()).toEqual(rows.map(({ kind }) => kind).toSorted());
});

test('its preferences are those that can be chosen, with what holds until then', () => {
  for (const { kind, mail, preference } of rows) {
    const topic = mailTopicOf(kind);
    const expected = topic === undefined ? '–' : `\`${topic}\` (${mailedByDefault[topic] ? 'on' : 'off'})`;
    expect([kind, preference]).toEqual([kind, expected]);
    expect([kind, mail === 'preference']).toEqual([kind, topic !== undefined]);
  }
  const topics = new Set(rows.flatMap(({ kind }) => mailTopicOf(kind) ?? []));
  expect(topics).toEqual(new Set(mailTopics));
});
