import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { symbols } from '../../contract/rules.ts';

const folder = join(dirname(createRequire(import.meta.url).resolve('cryptocurrency-icons/package.json')), 'svg/color');
const read = (symbol: string) => readFileSync(join(folder, `${symbol}.svg`), 'utf8');

/** Provides the sprite's address to the app; the built file has a hashed name, which browsers cache forever. */
const addressFile = join(import.meta.dirname, '../src/ui/text/coin-sprite.ts');
const SIZE = 32;

/** All icons in one file: side by side, each with a view that an `img` selects by `#btc`. */
export function drawSprite(): string {
  const drawn = symbols.map((symbol, at) => {
    const x = at * SIZE;
    const icon = read(symbol)
      // Some icons have a fixed size, others fill their container.
      .replace(/<svg[^>]*>/, `<svg x="${x}" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}">`)
      // Ids must be unique in the whole file.
      .replace(/\bid="/g, `id="${symbol}-`)
      .replace(/(url\(#|href="#)/g, `$1${symbol}-`);
    return `<view id="${symbol}" viewBox="${x} 0 ${SIZE} ${SIZE}"/>${icon}`;
  });
  const box = `0 0 ${symbols.length * SIZE} ${SIZE}`;
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  return `<svg ${names} viewBox="${box}">${drawn.join('')}</svg>`;
}

/**
 * The icons of the market list's coins, in development and in the built app: each at /icons/<symbol>.svg, the address
 * that the API names, and all in the sprite that the app's own pages use.
 */
export function coinIcons(): Plugin {
  let isBuild = false;
  const sprite = drawSprite();
  const spriteFile = `assets/coins-${createHash('sha256').update(sprite).digest('base64url').slice(0, 8)}.svg`;
  return {
    name: 'coin-icons',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    configureServer(server) {
      server.middlewares.use('/icons', (request, response, next) => {
        const symbol = symbols.find((name) => request.url === `/${name}.svg`);
        const icon = request.url === '/coins.svg' ? sprite : symbol && read(symbol);
        if (icon === undefined) return next();
        response.setHeader('content-type', 'image/svg+xml');
        response.end(icon);
      });
    },
    load(id) {
      return isBuild && id === addressFile ? `export const coinSprite = '/${spriteFile}';\n` : null;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: spriteFile, source: sprite });
      for (const symbol of symbols)
        this.emitFile({ type: 'asset', fileName: `icons/${symbol}.svg`, source: read(symbol) });
    },
  };
}
