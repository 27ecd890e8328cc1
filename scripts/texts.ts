import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '#contract/texts.ts';
import { findLooseTexts, listSourceTexts } from '../web/build/source-texts.ts';

/**
 * `npm run texts -- de`: creates or updates the catalogue of a language: new texts are added in English, unused ones
 * removed. Without a language: lists the screen texts missing from the catalogue.
 */
const [language] = process.argv.slice(2);
if (language === undefined) {
  const loose = findLooseTexts();
  for (const { key, path, line } of loose) console.log(`${path}:${line}  ${key}`);
  console.log(`${loose.length} texts outside the catalogue, ${listSourceTexts().length} in it`);
  process.exitCode = loose.length > 0 ? 1 : 0;
} else {
  const file = join(import.meta.dirname, `../web/public/texts/${language}.json`);
  const old = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Catalogue) : {};
  const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const formsOf = (key: string) => {
    const [one = '', other = ''] = key.split('|');
    return Object.fromEntries(rules.map((rule) => [rule, rule === 'one' ? one : other]));
  };
  const isPlural = (key: string) => key.includes('#') && key.includes('|');
  const texts = listSourceTexts().map(({ key }) => [key, old[key] ?? (isPlural(key) ? formsOf(key) : key)]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`);
  const waiting = texts.filter(([key]) => old[key as string] === undefined).length;
  console.log(`${file}: ${texts.length} texts, ${waiting} of them new`);
}
