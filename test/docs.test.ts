import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..');
/** So that a clone stays small, and a page of the guide loads at once. */
const MAX_BYTES = 170_000;

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: PROJECT });
const pictures = globSync('docs/pictures/**/*.*', { cwd: PROJECT });

/** Link targets of a page inside the project, relative to its root, without the fragment. */
const targetsOf = (page: string): string[] =>
  [...readFileSync(join(PROJECT, page), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target));

describe('the docs', () => {
  test.each(pages)('%s links only to existing files', (page) => {
    expect(targetsOf(page).filter((target) => !existsSync(join(PROJECT, target)))).toEqual([]);
  });

  test('show every picture in their folder, and none of them is large', () => {
    const shown = new Set(pages.flatMap(targetsOf));
    expect(pictures.filter((picture) => !shown.has(picture))).toEqual([]);
    expect(pictures.filter((picture) => statSync(join(PROJECT, picture)).size > MAX_BYTES)).toEqual([]);
    expect(pictures.length).toBeGreaterThan(1);
  });
});
