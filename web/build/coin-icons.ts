import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { symbols } from '../../contract/rules.ts';

const folder = join(dirname(createRequire(import.meta.url).resolve('cryptocurrency-icons/package.json')), 'svg/color');
const read = (symbol: string) => readFileSync(join(folder, `${symbol}.svg`));

/** The icons of the market list's coins at /icons/<symbol>.svg, under development and in the built app alike. */
export function coinIcons(): Plugin {
  return {
    name: 'coin-icons',
    configureServer(server) {
      server.middlewares.use('/icons', (request, response, next) => {
        const symbol = symbols.find((name) => request.url === `/${name}.svg`);
        if (symbol === undefined) return next();
        response.setHeader('content-type', 'image/svg+xml');
        response.end(read(symbol));
      });
    },
    generateBundle() {
      for (const symbol of symbols)
        this.emitFile({ type: 'asset', fileName: `icons/${symbol}.svg`, source: read(symbol) });
    },
  };
}
