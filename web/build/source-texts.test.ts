import { expect, test } from 'vitest';
import { readLoose, readTexts } from './source-texts.ts';

const keys = (found: readonly { key: string }[]) => found.map(({ key }) => key);
/** Writes `$[n]` as a template placeholder. */
const withValues = (source: string) => source.replace(/\$\[(\w+)\]/g, '$${$1}');

test('marked text becomes a key, with numbered values and its plural forms side by side', () => {
  const source =
    "const a = t`Paid $[m] of $[n]`; english.t`Sent`; plural(n, { one: '# trade', other: '# trades' }); t(x); b`no`;";
  expect(keys(readTexts('a.ts', withValues(source)))).toEqual(['Paid {0} of {1}', 'Sent', '# trade|# trades']);
});

test.each([
  ['<p>Hello</p>', 'Hello'],
  ['<p>{n} trades</p>', 'trades'],
  ['<Field label="Amount" />', 'Amount'],
  ["const label = { open: 'Open' };", 'Open'],
  ['const a = `Paid $[n] of it`;', 'Paid … of it'],
  ['const a = `$[n] rows`;', '… rows'],
  ["const a = isOpen ? 'Close the list' : null;", 'Close the list'],
])('%s shows "%s" untranslated', (source, loose) => {
  expect(keys(readLoose('a.tsx', withValues(source)))).toEqual([loose]);
});

test.each([
  '<p>{t`Hello there`}</p>',
  "<p className='Some class'>–</p>",
  "import a from 'Some file';",
  "if (event.key === 'Escape') throw new Error('Not this one');",
  "type A = 'Open' | 'Closed';",
  '<Trans text={t`Read <a>this</a>`} a={link} />',
  "plural(n, { one: '# trade here', other: '# trades here' });",
])('%s shows nothing untranslated', (source) => {
  expect(keys(readLoose('a.tsx', withValues(source)))).toEqual([]);
});
