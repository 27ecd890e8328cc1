import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..');
const CODE = '{contract,server,web,test,bench,scripts}/**/*.{ts,tsx,mjs}';

type Source = { path: string; text: string; imports: string[] };

const sources: Source[] = globSync(CODE, { cwd: PROJECT })
  .filter((path) => !path.includes('node_modules'))
  .sort()
  .map((path) => {
    const text = readFileSync(join(PROJECT, path), 'utf8');
    const imports = [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g)].map((match) => match[1] ?? '');
    return { path, text, imports: imports.map((target) => resolveImport(path, target)) };
  });

/** `../db/tx.ts` seen from `server/trading/routes.ts` → `server/db/tx.ts`; packages stay as they are. */
function resolveImport(from: string, target: string): string {
  if (target.startsWith('#')) return target.slice(1);
  if (!target.startsWith('.')) return target;
  return join(from, '..', target);
}

const DOMAINS = [
  'signing',
  'ledger',
  'audit',
  'notify',
  'approvals',
  'accounts',
  'team',
  'market',
  'fee-plans',
  'trading',
  'income',
  'funds',
  'solvency',
  'tickets',
  'operator',
];
/** The owner of each PostgreSQL schema. Schemas keep their original names. */
const OWNERS: Record<string, readonly string[]> = {
  signing: ['signing'],
  ledger: ['ledger'],
  audit: ['audit'],
  notify: ['notify'],
  approvals: ['approvals'],
  identity: ['accounts'],
  team: ['team'],
  market: ['market'],
  trading: ['trading', 'fee-plans'],
  income: ['income', 'team'],
  funds: ['funds'],
  support: ['tickets'],
  operator: ['operator', 'solvency'],
  live: ['live'],
};
const SCHEMAS = Object.keys(OWNERS);
const isTest = (path: string) => path.includes('.test.') || path.startsWith('test/') || path.includes('test-setup');
const production = sources.filter((source) => !isTest(source.path));
const isWebFloor = (target: string) => /^(contract|web\/src\/(api|ui|entities))\//.test(target);
const isPackage = (target: string) => !/^(contract|server|web|test|bench|scripts)\//.test(target);

/** Every import in the given files that breaks the rule, as `file → import`. */
function broken(files: Source[], isAllowed: (target: string, source: Source) => boolean): string[] {
  return files.flatMap((source) =>
    source.imports.filter((target) => !isAllowed(target, source)).map((target) => `${source.path} → ${target}`),
  );
}

const inFolder = (folder: string) => production.filter((source) => source.path.startsWith(folder));
const domainOf = (path: string) => DOMAINS.find((domain) => path.startsWith(`server/${domain}/`));

describe('imports', () => {
  test('contract: only zod and itself, and where signatures are verified, plain arithmetic libraries', () => {
    const isAllowed = (target: string, { path }: Source) =>
      target === 'zod' ||
      target.startsWith('contract/') ||
      (path === 'contract/solvency/reserve-signature.ts' && /^@(noble|scure)\//.test(target));
    expect(broken(inFolder('contract/'), isAllowed)).toEqual([]);
  });

  test('core: own core, contract, node:assert and plain arithmetic libraries; nothing async, no clock, no randomness', () => {
    const cores = production.filter((source) => source.path.includes('/core/'));
    const isAllowed = (target: string, source: Source) =>
      target.startsWith('contract/') ||
      (target.startsWith(source.path.split('/core/')[0] as string) && target.includes('/core/')) ||
      ['node:assert', 'node:assert/strict', 'decimal.js', '@scure/base'].includes(target) ||
      target.startsWith('@noble/hashes/');
    expect(broken(cores, isAllowed)).toEqual([]);
    const impure = /\basync\b|\bawait\b|Date\.now|new Date\(\)|Math\.random|process\./;
    expect(cores.filter((source) => impure.test(withoutComments(source.text))).map((source) => source.path)).toEqual(
      [],
    );
  });

  test('domains: only earlier ones, and only their index', () => {
    const files = production.filter((source) => domainOf(source.path) !== undefined);
    const isAllowed = (target: string, source: Source) => {
      if (target.startsWith('server/live/')) return false;
      const own = domainOf(source.path) as string;
      const other = domainOf(target);
      if (other === undefined || other === own) return true;
      return target === `server/${other}/index.ts` && DOMAINS.indexOf(other) < DOMAINS.indexOf(own);
    };
    expect(broken(files, isAllowed)).toEqual([]);
  });

  test('HTTP: only routes know fastify, and operations do not know http/', () => {
    const files = production.filter((source) => domainOf(source.path) !== undefined && !source.path.includes('routes'));
    const isAllowed = (target: string) =>
      !/^fastify|^@fastify|^server\/http\//.test(target) && !target.startsWith('web/');
    const exported = (source: Source) => source.path.endsWith('/index.ts');
    expect(
      broken(
        files.filter((source) => !exported(source)),
        isAllowed,
      ),
    ).toEqual([]);
  });

  test('routes: no SQL', () => {
    const routes = production.filter((source) => source.path.includes('routes') && source.path.startsWith('server/'));
    expect(
      routes
        .filter((source) => source.imports.includes('kysely') || /\bsql`/.test(source.text))
        .map((source) => source.path),
    ).toEqual([]);
  });

  test('SQL is in operations of domains, not in their rules (core), their routes or HTTP', () => {
    const mayHold = (path: string) =>
      path.startsWith('server/db/') ||
      /sql\.ts$/.test(path) ||
      ([...DOMAINS, 'live'].some((domain) => path.startsWith(`server/${domain}/`)) && !/\/core\/|routes/.test(path));
    const files = production.filter(({ path }) => /^(contract|server|web)\//.test(path) && !mayHold(path));
    expect(files.filter((source) => /\bsql(<[^`]*>)?`/.test(source.text)).map((source) => source.path)).toEqual([]);
  });

  test('web features: contract and the shared layer, not each other, not app, not the server', () => {
    const isAllowed = (target: string, source: Source) => {
      const feature = source.path.split('/').slice(0, 4).join('/');
      return isPackage(target) || isWebFloor(target) || target.startsWith(`${feature}/`);
    };
    expect(broken(inFolder('web/src/features/'), isAllowed)).toEqual([]);
  });

  test('web entities: contract, api, ui, and of other entities nothing', () => {
    const isAllowed = (target: string, source: Source) => {
      const entity = source.path.split('/').slice(0, 4).join('/');
      return isPackage(target) || /^(contract|web\/src\/(api|ui))\//.test(target) || target.startsWith(`${entity}/`);
    };
    expect(broken(inFolder('web/src/entities/'), isAllowed)).toEqual([]);
  });

  test('web ui and api: contract and each other', () => {
    const isAllowed = (target: string) => isPackage(target) || /^(contract|web\/src\/(api|ui))\//.test(target);
    expect(broken([...inFolder('web/src/ui/'), ...inFolder('web/src/api/')], isAllowed)).toEqual([]);
  });

  test('production code imports no tests, and the web imports nothing of the server', () => {
    expect(broken(inFolder('server/'), (target) => !target.startsWith('test/') && !target.startsWith('web/'))).toEqual(
      [],
    );
    expect(broken(inFolder('web/'), (target) => !target.startsWith('server/') && !target.startsWith('test/'))).toEqual(
      [],
    );
  });
});

test('no import cycles, not even for types', () => {
  let left = sources.map(({ path, text }) => {
    // Dynamic imports count for nothing.
    const targets = [...text.matchAll(/^(?:import|export)\b[^;'"]*?from '([^']+)'/gm)].map(([, to = '']) => to);
    return { path, targets: targets.map((target) => resolveImport(path, target)) };
  });
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length;
    const paths = new Set(left.map(({ path }) => path));
    const imported = new Set(left.flatMap(({ targets }) => targets));
    left = left.filter(({ path, targets }) => imported.has(path) && targets.some((target) => paths.has(target)));
  }
  expect(left.map(({ path }) => path)).toEqual([]);
});

test('the environment is read in config.ts alone', () => {
  const readers = production.filter(
    (source) => /^(contract|server|web)\//.test(source.path) && /process\.env/.test(source.text),
  );
  expect(readers.map((source) => source.path)).toEqual(['server/config.ts']);
});

test('each PostgreSQL schema is named only in its own folder', () => {
  const files = production.filter(
    (source) => source.path.startsWith('server/') && !source.path.startsWith('server/db/'),
  );
  const found = files.flatMap((source) => {
    const uses = withoutComments(source.text).matchAll(
      /\b(?:from|join|into|update|table|lateral)\s+([a-z_]+)\.[a-z_]+/g,
    );
    return [...uses]
      .filter(
        (use) =>
          SCHEMAS.includes(use[1] ?? '') &&
          !OWNERS[use[1] ?? '']?.some((domain) => source.path.startsWith(`server/${domain}/`)),
      )
      .map((use) => `${source.path}: ${use[0]}`);
  });
  expect(found).toEqual([]);
});

test('migration numbers are unbroken', () => {
  const names = globSync('server/db/migrations/*.sql', { cwd: PROJECT })
    .map((path) => path.split('/').at(-1) ?? '')
    .sort();
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  expect(names.filter((name) => !/^\d{4}-[a-z0-9-]+\.sql$/.test(name))).toEqual([]);
});

test('no file is longer than 400 lines', () => {
  const long = sources.filter((source) => source.text.split('\n').length > 401);
  expect(long.map((source) => `${source.path}: ${source.text.split('\n').length}`)).toEqual([]);
});

test('file names are kebab-case and name an operation or a noun', () => {
  const catchAll = /(^|[-/.])(services?|managers?|helpers?|utils?|common|types)\./;
  const odd = sources.filter(({ path }) => !/^[a-z0-9./-]+$/.test(path) || catchAll.test(path));
  expect(odd.map((source) => source.path)).toEqual([]);
});

test('exports are named; types are erasable', () => {
  const odd = production.filter(
    ({ text }) => /^export default/m.test(text) || /^\s*(export )?(const )?enum /m.test(text),
  );
  expect(odd.map((source) => source.path)).toEqual(['web/vite.config.ts']);
});

test('what scrolls sideways does not scroll a pixel upwards: other browsers round heights otherwise', () => {
  const paths = globSync('web/src/**/*.css', { cwd: PROJECT });
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => readFileSync(join(PROJECT, path), 'utf8').includes('overflow-x: auto'))).toEqual([]);
});

test('nothing is postponed, skipped or focused', () => {
  const later = /\b(TO)(DO)\b|\b(FIX)(ME)\b|coming\ssoon|not\simplemented/;
  const skipped = /\b(it|test|describe)\.(skip|only|todo)\(/;
  const left = sources.filter(({ text }) => later.test(text) || skipped.test(text));
  expect(left.map(({ path }) => path)).toEqual([]);
});

test('the lock file has each package’s address at npm’s registry (docs/decisions/0001-node-as-a-package.md)', () => {
  type Locked = { readonly resolved?: string };
  const lock: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(join(PROJECT, 'package-lock.json'), 'utf8'),
  );
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  expect(packages.length).toBeGreaterThan(500);
  const elsewhere = packages.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/'));
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

test('no path leaves the repository', () => {
  const relative = /(?:\bfrom\s+|\bimport\(|\bURL\(|\bdirname,\s*)['"`](\.\.(?:\/[^'"`]*)?)['"`]/g;
  const paths = sources.flatMap(({ path, text }) =>
    [...text.matchAll(relative)].map(([, target = '']) => ({ path, target })),
  );
  expect(paths.length).toBeGreaterThan(50);
  const outside = paths.filter(({ path, target }) => join(path, '..', target).startsWith('..'));
  expect(outside.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
});

test('paths named in documents exist', () => {
  const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT }).filter((path) => path !== 'CHANGELOG.md');
  const missing = documents.flatMap((path) => {
    const text = readFileSync(join(PROJECT, path), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
    const named = [
      ...text.matchAll(/[`(]((?:contract|server|web|test|bench|docs|scripts|\.ci)\/[A-Za-z0-9._/-]+)[`)#]/g),
    ];
    return named
      .map((match) => match[1] ?? '')
      .filter((name) => !existsSync(join(PROJECT, name)))
      .map((name) => `${path}: ${name}`);
  });
  expect(missing).toEqual([]);
});

describe('citations', () => {
  /** Applied migrations are never edited: these cite pages that were merged, or sections renamed, since. */
  const isOld = (path: string) => Number(/migrations\/(\d{4})-/.exec(path)?.[1] ?? Infinity) <= 60;
  const citing = [
    ...sources,
    ...globSync('{contract,server,web,test}/**/*.{css,sql}', { cwd: PROJECT }).map((path) => ({
      path,
      text: readFileSync(join(PROJECT, path), 'utf8'),
    })),
  ]
    .filter(({ path }) => !isOld(path))
    .map(({ path, text }) => ({ path, text: text.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ') }));

  test('name an existing page, section and heading', () => {
    const CITATION =
      /(?<![\w/.-])(docs\/[\w/.-]+\.md|[A-Z]+\.md)(?:, sections? (\d+(?:, \d+)*(?: and \d+)?))?(?:, "([^"]+)")?/g;
    const found = citing.flatMap(({ path, text }) =>
      [...text.matchAll(CITATION)].map(([citation, page = '', numbers, title]) => ({
        citation: `${path}: ${citation}`,
        page,
        sections: numbers?.match(/\d+/g) ?? [],
        title,
      })),
    );
    expect(found.length).toBeGreaterThan(300);
    const wrong = found.filter(({ page, sections, title }) => !isThere(page, sections, title));
    expect(wrong.map(({ citation }) => citation)).toEqual([]);
  });

  test('name no page outside the repository', () => {
    const absent = /(?<!docs\/)\b(?:[Pp]roduct|specification|api|visual|style|architecture|bar|traps|voice)\.md\b/;
    expect(citing.filter(({ text }) => absent.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

/** `docs/product.md`, section 3, "Stops": the page has `## 3. …`, and somewhere under it a heading `Stops`. */
function isThere(page: string, sections: readonly string[], title: string | undefined): boolean {
  if (!existsSync(join(PROJECT, page))) return false;
  const text = readFileSync(join(PROJECT, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  const chapters = text.split(/^(?=## )/m);
  const cited = sections.map((number) => chapters.find((chapter) => chapter.startsWith(`## ${number}. `)));
  if (cited.includes(undefined)) return false;
  const where = cited.length > 0 ? cited : chapters;
  const heads = where.flatMap((chapter) => [...(chapter ?? '').matchAll(/^#+ (.+)$/gm)].map(([, head]) => head));
  return title === undefined || heads.includes(title);
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
