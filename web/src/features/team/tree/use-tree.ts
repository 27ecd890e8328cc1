import { type FocusEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';

/**
 * The open branches and the focused item. An item is identified by its path, `me/12/57`: the same member can be in a
 * branch and among search matches. One item is in the tab order; arrow keys reach the others.
 */
export function useTree(openAtFirst: readonly string[] = []) {
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(openAtFirst));
  const [current, setCurrent] = useState<string>();

  const moveTo = (path: string) => {
    setCurrent(path);
    root.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus();
  };
  /** Collapsing a branch also collapses everything below it. */
  const toggle = (path: string) =>
    setOpen((now) =>
      now.has(path) ? new Set([...now].filter((one) => !`${one}/`.startsWith(`${path}/`))) : new Set([...now, path]),
    );

  const onKeyDown = (event: KeyboardEvent) => {
    const here = itemOf(event.target);
    // A button in the tree handles its own keys.
    if (here !== event.target || here === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const items = [...(root.current?.querySelectorAll<HTMLElement>(ITEM) ?? [])];
    const step = treeStep(event.key, items.map(shownItem), items.indexOf(here));
    if (step === undefined) return;
    event.preventDefault();
    if (step === 'toggle') toggle(pathOf(here));
    else moveTo(pathOf(items[step.to]));
  };

  const onClick = (event: MouseEvent) => {
    const here = itemOf(event.target);
    const isRow = event.target instanceof Element && event.target.closest('[data-row]') !== null;
    // Selecting an id to copy it must not expand the branch.
    if (here === null || !isRow || window.getSelection()?.isCollapsed === false) return;
    moveTo(pathOf(here));
    if (here.hasAttribute('aria-expanded')) toggle(pathOf(here));
  };

  const onFocus = (event: FocusEvent) => {
    const here = itemOf(event.target);
    if (here === event.target && here !== null) setCurrent(pathOf(here));
  };

  return {
    root,
    handlers: { onKeyDown, onClick, onFocus },
    moveTo,
    isOpen: (path: string) => open.has(path),
    tabIndexOf: (path: string, isFirst: boolean) => ((current === undefined ? isFirst : current === path) ? 0 : -1),
    /** The depth of the deepest items; 0 is the edge. */
    depth: Math.max(0, ...[...open].map((path) => path.split('/').length)),
  };
}

export type Tree = ReturnType<typeof useTree>;

const ITEM = '[role="treeitem"]';

const itemOf = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(ITEM) : null;

const pathOf = (item: HTMLElement | undefined): string => item?.dataset.path ?? '';

const shownItem = (item: HTMLElement) => ({
  level: Number(item.getAttribute('aria-level')),
  expanded: item.hasAttribute('aria-expanded') ? item.getAttribute('aria-expanded') === 'true' : undefined,
  name: item.textContent ?? '',
});

/** A visible tree item; `expanded` is undefined for a leaf. */
export type ShownItem = { readonly level: number; readonly expanded: boolean | undefined; readonly name: string };

/** The effect of a key: focus another item, or expand or collapse this one. */
type TreeStep = { readonly to: number } | 'toggle' | undefined;

/**
 * The keys of a tree (ARIA Authoring Practices, Tree View), over its visible items. Right expands, then goes to the
 * first child; left collapses, then goes to the parent; a letter goes to the next name that begins with it.
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

/** The next item whose name begins with the letter, wrapping around at the end. */
function nextNamed(items: readonly ShownItem[], at: number, letter: string): TreeStep {
  const order = [...items.keys()].map((step) => (at + 1 + step) % items.length);
  const found = order.find((index) => items[index]?.name.toLowerCase().startsWith(letter));
  return found === undefined || found === at ? undefined : { to: found };
}
