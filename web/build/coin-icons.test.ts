import { expect, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import { drawSprite } from './coin-icons.ts';

test('the sprite has a view of each coin’s own icon, and no duplicate id', () => {
  const sprite = drawSprite();
  const views = [...sprite.matchAll(/<view id="(\w+)" viewBox="(\d+) 0 32 32"\/><svg x="(\d+)" width="32"/g)];
  expect(views.map(([, symbol]) => symbol)).toEqual(symbols);
  for (const [, , view, icon] of views) expect(view).toBe(icon);
  const ids = [...sprite.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, id] of sprite.matchAll(/(?:url\(#|href="#)([^")]+)/g)) expect(ids).toContain(id);
});
