import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Catalogue } from '#contract/texts.ts';
import { BadConfig } from '#server/config.ts';
import { findLooseTexts, listSourceTexts } from '../web/build/source-texts.ts';
import { print, runCommand } from './run-command.ts';

/**
 * `npm run texts -- de`: creates or updates the catalogue of a language: new texts are added in English, unused ones
 * removed. Without a language: lists the screen texts missing from the catalogue.
 */
await runCommand(async () => {
  const [given, ...rest] = parseArgs({ allowPositionals: true }).positionals;
  if (rest.length > 0) throw new BadConfig(`Unexpected argument '${rest[0]}'`);
  return given === undefined ? listLoose() : writeCatalogue(readLanguage(given));
});

function listLoose(): 0 | 1 {
  const loose = findLooseTexts();
  print(
    ...loose.map(({ key, path, line }) => `${path}:${line}  ${key}`),
    `${loose.length} texts outside the catalogue, ${listSourceTexts().length} in it`,
  );
  return loose.length > 0 ? 1 : 0;
}

/** In its canonical spelling. @throws BadConfig if its plurals are not known, or it is English, which has no catalogue */
function readLanguage(given: string): string {
  try {
    const [language] = Intl.PluralRules.supportedLocalesOf(given);
    if (language !== undefined && language !== 'en') return language;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new BadConfig('LANGUAGE: must be a code such as de or pt-BR, but not en');
}

function writeCatalogue(language: string): 0 {
  const file = join(import.meta.dirname, `../web/public/texts/${language}.json`);
  const old = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Catalogue) : {};
  const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const formsOf = (key: string) => {
    const [one = '', other = ''] = key.split('|');
    return Object.fromEntries(rules.map((rule) => [rule, rule === 'one' ? one : other]));
  };
  const isPlural = (key: string) => key.includes('#') && key.includes('|');
  const texts = listSourceTexts().map(({ key }) => [key, old[key] ?? (isPlural(key) ? formsOf(key) : key)]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`);
  const waiting = texts.filter(([key]) => old[key as string] === undefined).length;
  print(`${file}: ${texts.length} texts, ${waiting} of them new`);
  return 0;
}
