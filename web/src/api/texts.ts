import { type Catalogue, createTexts, type Texts } from '../../../contract/texts.ts';
import { readStored, removeStored, writeStored } from './storage.ts';

/**
 * The catalogue of another language is waited for before any module makes a text, so that labels can be constants. English
 * has none, and nothing is loaded for it (docs/decisions/0016-texts.md).
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
/** What this page was to be shown in. */
const asked = chosen();

export const { t, plural, translate, language } = readTexts(asked);

/**
 * Shows everything in another language from now on. Once: where its catalogue does not come the page begins anew in English, and
 * where the choice cannot be kept not at all, as that would sign out whose token is only kept in the page.
 */
export function changeLanguage(to: string): void {
  if (to === asked) return;
  if (to === 'en') removeStored('language');
  else writeStored('language', to);
  if (to === chosen()) location.reload();
}
