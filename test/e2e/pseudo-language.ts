import type { Catalogue } from '#contract/texts.ts';
import { listSourceTexts } from '../../web/build/source-texts.ts';

const accented: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aceinosuyACEINOSUY', (letter, index) => [letter, Array.from('àçéîñöšûýÀÇÉÎÑÖŠÛÝ')[index] as string]),
);

/** Marks the beginning and end of translated texts, so that the rest is known to be untranslated. */
export const [begin, end] = ['⟦', '⟧'] as const;

/** `Sign in` → `⟦Šîgñ îñ~~⟧`: a third longer, like German, and still readable; placeholders and elements stay. */
export const pseudo = (text: string): string => {
  const letters = text.replace(/\{\d+\}|<\/?\w+\/?>|#/g, '').length;
  const changed = text
    .split(/(\{\d+\}|<\/?\w+\/?>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-zA-Z]/g, (letter) => accented[letter] ?? letter)))
    .join('');
  // Split into words, as longer sentences have more of them.
  const padding = '~'.repeat(Math.ceil(letters / 3)).replace(/~{8}(?=~)/g, '$& ');
  return `${begin}${changed}${padding}${end}`;
};

/** All source texts in a pseudo-language. */
export const pseudoCatalogue = (): Catalogue =>
  Object.fromEntries(
    listSourceTexts().map(({ key }) => {
      const [one = '', other = ''] = key.split('|');
      const isPlural = key.includes('#') && key.includes('|');
      return [key, isPlural ? { one: pseudo(one), other: pseudo(other) } : pseudo(key)];
    }),
  );
