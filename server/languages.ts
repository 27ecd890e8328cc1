import assert from 'node:assert';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Catalogue, createTexts, english, type Texts } from '#contract/texts.ts';

/** Texts by language: English, and each with a catalogue. */
export type Languages = ReadonlyMap<string, Texts>;

/** Reads the catalogues of a built web app, once per folder. A file that is no catalogue fails the start. */
export function listLanguages(webDir: string): Languages {
  const found = known.get(webDir) ?? readLanguages(join(webDir, 'texts'));
  known.set(webDir, found);
  return found;
}

const known = new Map<string, Languages>();

function readLanguages(folder: string): Languages {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const texts = names.sort().map((name) => {
    const language = name.slice(0, -'.json'.length);
    return [language, createTexts(language, readCatalogue(join(folder, name)))] as const;
  });
  return new Map([['en', english], ...texts]);
}

function readCatalogue(file: string): Catalogue {
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
  assert(typeof read === 'object' && read !== null && !Array.isArray(read), `${file} is no catalogue`);
  return read as Catalogue;
}
