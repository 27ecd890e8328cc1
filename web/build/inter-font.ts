import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const files = join(dirname(createRequire(import.meta.url).resolve('@fontsource-variable/inter/package.json')), 'files');
const folder = join(import.meta.dirname, '../../node_modules/.cache/tradewind-font');

/** The `unicode-range` of the Latin letters in the style sheet of the package. */
const ranges = [
  [0x00, 0xff],
  [0x152, 0x153],
  [0x2bb, 0x2bc],
  [0x2000, 0x206f],
] as const;
const singles = [
  0x131, 0x2c6, 0x2da, 0x2dc, 0x304, 0x308, 0x329, 0x20ac, 0x2122, 0x2191, 0x2193, 0x2212, 0x2215, 0xfeff, 0xfffd,
];
/**
 * `tnum` for columns of figures, `ss02` to `cv10` as selected by the style sheets, and the features needed for correct
 * shaping.
 */
const keepFeatures = ['calt', 'ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum', 'ss02', 'ss03', 'cv10'];

/**
 * The Latin letters in the weights that the app uses, without unused glyph variants: two fifths of the original file,
 * which this replaces. Other scripts keep theirs, each loaded only by pages with such letters.
 */
export function interFont(): Plugin {
  const latin = join(folder, 'inter-latin.woff2');
  return {
    name: 'inter-font',
    enforce: 'pre',
    async config() {
      const letters = [...ranges.flatMap(([from, to]) => listFrom(from, to)), ...singles];
      const font = await subsetFont(
        readFileSync(join(files, 'inter-latin-wght-normal.woff2')),
        String.fromCodePoint(...letters),
        { targetFormat: 'woff2', keepFeatures, variationAxes: { wght: { min: 400, max: 700 } } },
      );
      mkdirSync(folder, { recursive: true });
      writeFileSync(latin, font);
    },
    transform: {
      filter: { id: /inter\/wght\.css$/ },
      handler: (code) => code.replace('./files/inter-latin-wght-normal.woff2', latin),
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-[\w-]+\.woff2$/.test(name));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

const listFrom = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
