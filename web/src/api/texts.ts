import { type Catalogue, createTexts, type Texts } from '../../../contract/texts.ts';
import { readStored, removeStored, writeStored } from './storage.ts';

/**
 * The catalogue of another language is waited for before any module makes a text, so that labels can be constants. English
 * has none, and nothing is loaded for it (docs/decisions/0016-texts.md).
 */
function readTexts(): Texts {
  const language = readStored('language');
  if (language === undefined || language === 'en') return createTexts('en');
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

export const { t, plural, translate, language } = readTexts();

/** Shows everything in another language from now on. */
export function changeLanguage(to: string): void {
  if (to === language) return;
  if (to === 'en') removeStored('language');
  else writeStored('language', to);
  location.reload();
}
