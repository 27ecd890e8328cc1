import { type Catalogue, createTexts, type Texts } from '../../../contract/texts.ts';
import { readStored, writeStored } from './storage.ts';

/**
 * The catalogue of another language is awaited before any module creates a text, so that labels can be constants.
 * English has none, and loads nothing (docs/decisions/0016-texts.md).
 */
function readTexts(language: string): Texts {
  if (language === 'en') return createTexts('en');
  const request = new XMLHttpRequest();
  try {
    request.open('GET', `/texts/${language}.json`, false);
    request.send();
    if (request.status === 200) return createTexts(language, JSON.parse(request.responseText) as Catalogue);
  } catch (error) {
    console.error(error);
  }
  return createTexts('en');
}

const chosen = (): string => readStored('language') ?? 'en';
/** The language requested for this page. */
const requested = chosen();

export const { t, plural, translate, language } = readTexts(requested);

/**
 * Switches the language of everything, once. If its catalogue cannot be loaded, the page reloads in English; if the
 * choice cannot be stored, nothing changes, because a reload would sign out a person whose token is only in memory.
 */
export function changeLanguage(to: string): void {
  if (to === requested) return;
  writeStored('language', to === 'en' ? undefined : to);
  if (to === chosen()) location.reload();
}
