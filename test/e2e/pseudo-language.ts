import type { Catalogue } from '#contract/texts.ts';
import { listSourceTexts } from '../../web/build/source-texts.ts';

const accented: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('aceinosuyACEINOSUY', (letter, index) => [letter, Array.from('àçéîñöšûýÀÇÉÎÑÖŠÛÝ')[index] as string]),
);

/** Marks where a translated text begins and ends, so that what stands outside was not translated. */
export const [begin, end] = ['⟦', '⟧'] as const;

/** `Sign in` → `⟦Šîgñ îñ~~⟧`: a third longer, as German is, and still readable; values and elements stay. */
export const pseudo = (text: string): string => {
  const letters = text.replace(/\{\d+\}|<\/?\w+\/?>|#/g, '').length;
  const changed = text
    .split(/(\{\d+\}|<\/?\w+\/?>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-zA-Z]/g, (letter) => accented[letter] ?? letter)))
    .join('');
  // In words, as longer sentences have more of them.
  const padding = '~'.repeat(Math.ceil(letters / 3)).replace(/~{8}(?=~)/g, '$& ');
  return `${begin}${changed}${padding}${end}`;
};

/** Every text of the sources in a language that nobody speaks. */
export const pseudoCatalogue = (): Catalogue =>
  Object.fromEntries(
    listSourceTexts().map(({ key }) => {
      const [one = '', other = ''] = key.split('|');
      const isPlural = key.includes('#') && key.includes('|');
      return [key, isPlural ? { one: pseudo(one), other: pseudo(other) } : pseudo(key)];
    }),
  );
