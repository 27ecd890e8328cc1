import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Graph = { readonly getModuleInfo: (id: string) => { readonly importedIds: readonly string[] } | null };

/** Packages with a single entry that re-exports everything: an importer needs only the names it imports. */
const barrels: Readonly<Record<string, RegExp>> = {
  '@mantine/core': /\/@mantine\/core\/esm\/index\.mjs$/,
  '@mantine/hooks': /\/@mantine\/hooks\/esm\/index\.mjs$/,
  '@tabler/icons-react': /\/@tabler\/icons-react\/dist\/esm\/tabler-icons-react\.mjs$/,
  '@tanstack/react-query': /\/@tanstack\/react-query\/build\/modern\/index\.js$/,
  '@tanstack/query-core': /\/@tanstack\/query-core\/build\/modern\/index\.js$/,
};

const named = /(?:import|export)\s*\{([^}]*)\}\s*from\s*["']([^"']+)["']/g;
const read = (id: string) => (existsSync(id) ? readFileSync(id, 'utf8') : '');

/** `A, type B, C as D` → the imported names and their local names. */
const namesIn = (list: string) =>
  list.split(',').map((part) => {
    const [name = '', alias = name] = part.trim().split(/\s+as\s+/);
    return { name, alias };
  });

/** The modules that a module of the build pulls in, including itself. */
export class Reach {
  readonly #graph: Graph;
  readonly #exports = new Map<string, ReadonlyMap<string, string>>();
  readonly #needs = new Map<string, readonly string[]>();

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  from(root: string): ReadonlySet<string> {
    const seen = new Set<string>();
    const open = [root];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...this.#needsOf(id));
    }
    return seen;
  }

  #needsOf(id: string): readonly string[] {
    const known = this.#needs.get(id);
    if (known !== undefined) return known;
    const imported = this.#graph.getModuleInfo(id)?.importedIds ?? [];
    const needs = imported.flatMap((target) => {
      const barrel = Object.keys(barrels).find((name) => barrels[name]?.test(target));
      return barrel === undefined ? [target] : this.#pick(id, barrel, target);
    });
    this.#needs.set(id, needs);
    return needs;
  }

  /** The modules behind the names that `id` imports from a package. */
  #pick(id: string, barrel: string, entry: string): string[] {
    const names = [...read(id).matchAll(named)]
      .filter(([, , from]) => from === barrel)
      .flatMap(([, list = '']) => namesIn(list).map(({ name }) => name));
    return names.flatMap((name) => this.#find(entry, name) ?? []);
  }

  #find(entry: string, name: string): string | undefined {
    const own = this.#exportsOf(entry).get(name);
    if (own !== undefined) return own;
    const others = (this.#graph.getModuleInfo(entry)?.importedIds ?? []).filter((target) =>
      Object.values(barrels).some((barrel) => barrel.test(target)),
    );
    return others.map((other) => this.#find(other, name)).find((found) => found !== undefined);
  }

  #exportsOf(entry: string): ReadonlyMap<string, string> {
    const known = this.#exports.get(entry);
    if (known !== undefined) return known;
    const found = new Map(
      [...read(entry).matchAll(named)]
        .filter(([, , from = '']) => from.startsWith('.'))
        .flatMap(([, list = '', from = '']) => namesIn(list).map(({ alias }) => [alias, join(dirname(entry), from)])),
    );
    this.#exports.set(entry, found);
    return found;
  }
}
