import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withdrawalStates } from '#contract/funds/withdrawals.ts';
import { mailTopics } from '#contract/notify.ts';
import { emailTopicOf, mailedByDefault } from '#server/notify/core/email-topic.ts';

const PROJECT = join(import.meta.dirname, '..');

/** The list of docs/product.md, section 9, "Notifications": `- deposits (on): deposit_credited, …`, its names in backticks. */
const [, chapter = ''] = readFileSync(join(PROJECT, 'docs/product.md'), 'utf8').split('### Notifications');
const rows = [...(chapter.split('\n### ')[0] ?? '').matchAll(/^- ([^:]+): (.*)$/gm)].flatMap(
  ([, mail = '', kinds = '']) => [...kinds.matchAll(/`([a-z_]+)`/g)].map(([, kind = '']) => ({ kind, mail })),
);

/** Kinds as the program writes them: `kind: 'new_device'` and `depositNotice('deposit_review', …)` where notices are made. */
const written = globSync('server/**/*.ts', { cwd: PROJECT })
  .filter((path) => !/\.test\.|test-setup|^server\/(demo|live)\//.test(path))
  .map((path) => readFileSync(join(PROJECT, path), 'utf8'))
  .filter((text) => /#server\/notify\/|Notice\b|recordSecurityChange|tellSecurity/.test(text))
  .flatMap((text) => [
    ...text.matchAll(/\b(?:kind: (?:\w+ \? )?|\w*[nN]otice\(\s*)'([a-z]+(?:_[a-z]+)+)'(?: : '([a-z_]+)')?/g),
  ])
  .flatMap(([, first, second]) => [first, second].filter((kind) => kind !== undefined));

test('the list names every notification that is written, and none that is not', () => {
  const composed = [...withdrawalStates.map((state) => `withdrawal_${state}`), 'weekly_income', 'monthly_income'];
  const all = [...new Set([...written, ...composed])];
  expect(all.toSorted()).toEqual(rows.map(({ kind }) => kind).toSorted());
});

test('each is emailed as the program does it: by a preference with its default, always or never', () => {
  for (const { kind, mail } of rows) {
    const topic = emailTopicOf(kind);
    const expected =
      topic === undefined ? /^(always|never)$/ : `\`${topic}\` (${mailedByDefault[topic] ? 'on' : 'off'})`;
    expect([kind, mail]).toEqual([kind, typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  }
  const topics = new Set(rows.flatMap(({ kind }) => emailTopicOf(kind) ?? []));
  expect(topics).toEqual(new Set(mailTopics));
});
