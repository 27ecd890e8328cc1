import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { symbols } from '../../contract/rules.ts';
import { paths } from '../src/ui/paths.ts';

type Chunk = Rolldown.OutputChunk;

const source = (path: string) => join(import.meta.dirname, '../src', path);
const others = [source('app/other-pages.tsx')];
const signIn = (page: string) => [...others, source(`features/sign-in/${page}-page.tsx`)];
const frame = [...others, source('app/shell/frame.tsx')];
const login = [source('features/sign-in/login-page.tsx')];
const member = [...frame, source('app/shell/layout.tsx')];
const memberPage = (page: string) => [...member, source(`app/pages/${page}.tsx`)];
const symbolPage = memberPage('symbol');

/** The modules that the first pages load one after another; `*` is any other member page. */
const routes: Readonly<Record<string, readonly string[]>> = {
  [paths.login]: login,
  [paths.loginAlias]: login,
  [paths.register]: signIn('register'),
  [paths.forgotPassword]: signIn('forgot-password'),
  [paths.verifyOtp]: signIn('verify-otp'),
  [paths.resetPassword]: signIn('reset-password'),
  [paths.terms]: frame,
  [paths.privacy]: frame,
  [paths.risk]: frame,
  [paths.fees]: frame,
  [paths.notMe]: others,
  [paths.confirmAdmin]: others,
  [paths.dashboard]: memberPage('dashboard'),
  [paths.portfolio]: memberPage('portfolio'),
  ...Object.fromEntries(symbols.map((symbol) => [paths.symbol(symbol), symbolPage])),
  '*': member,
};

/**
 * Writes `first-loads.json`: for each address, preload links to the files of its page. The server puts them into the
 * page, so that a browser loads all at once.
 */
export function firstLoads(): Plugin {
  return {
    name: 'first-loads',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk');
      const entry = reach(
        chunks,
        chunks.filter((chunk) => chunk.isEntry),
      );
      const links = Object.entries(routes).map(([path, modules]) => {
        const begun = modules.map((id) => chunks.find((chunk) => chunk.moduleIds.includes(id)) ?? this.error(id));
        const loaded = [...reach(chunks, begun)].filter((chunk) => !entry.has(chunk));
        return [path, linksTo(loaded)];
      });
      const text = JSON.stringify(Object.fromEntries(links));
      this.emitFile({ type: 'asset', fileName: 'first-loads.json', source: text });
    },
  };
}

/** The styles of these chunks, each after those that it imports: they build on each other in that order. */
function reach(chunks: readonly Chunk[], begun: readonly Chunk[], found = new Set<Chunk>()): ReadonlySet<Chunk> {
  for (const chunk of begun) {
    if (found.has(chunk)) continue;
    const imported = chunk.imports.flatMap((name) => chunks.find(({ fileName }) => fileName === name) ?? []);
    reach(chunks, imported, found);
    found.add(chunk);
  }
  return found;
}

function linksTo(chunks: readonly Chunk[]): string {
  const styles = new Set(chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]));
  return [
    ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...chunks.map((chunk) => `<link rel="modulepreload" crossorigin href="/${chunk.fileName}">`),
  ].join('');
}
