/** An item of the tree as it is shown; `expanded` is undefined for what cannot be opened. */
export type ShownItem = { readonly level: number; readonly expanded: boolean | undefined; readonly name: string };

/** What a key does: go to another item, or open or close this one. */
export type TreeStep = { readonly to: number } | 'toggle' | undefined;

/**
 * The keys of a tree (ARIA Authoring Practices, Tree View), over its items from top to bottom. Right opens, then goes to
 * the first below; left closes, then goes to the one above; a letter goes to the next name that begins with it.
 */
export function treeStep(key: string, items: readonly ShownItem[], at: number): TreeStep {
  const item = items[at];
  if (item === undefined) return undefined;
  switch (key) {
    case 'ArrowDown':
      return existing(items, at + 1);
    case 'ArrowUp':
      return existing(items, at - 1);
    case 'Home':
      return existing(items, 0);
    case 'End':
      return existing(items, items.length - 1);
    case 'ArrowRight':
      if (item.expanded === false) return 'toggle';
      return item.expanded && isBelow(items[at + 1], item) ? { to: at + 1 } : undefined;
    case 'ArrowLeft':
      if (item.expanded) return 'toggle';
      return existing(
        items,
        items.findLastIndex((other, index) => index < at && isBelow(item, other)),
      );
    case 'Enter':
    case ' ':
      return item.expanded === undefined ? undefined : 'toggle';
    default:
      return key.length === 1 ? nextNamed(items, at, key.toLowerCase()) : undefined;
  }
}

const existing = (items: readonly ShownItem[], index: number): TreeStep =>
  index >= 0 && index < items.length ? { to: index } : undefined;

const isBelow = (item: ShownItem | undefined, above: ShownItem): boolean =>
  item !== undefined && item.level > above.level;

/** The next item whose name begins with the letter, beginning again at the top after the last. */
function nextNamed(items: readonly ShownItem[], at: number, letter: string): TreeStep {
  const order = [...items.keys()].map((step) => (at + 1 + step) % items.length);
  const found = order.find((index) => items[index]?.name.toLowerCase().startsWith(letter));
  return found === undefined || found === at ? undefined : { to: found };
}
