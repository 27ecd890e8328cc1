import { type FocusEvent, type KeyboardEvent, type MouseEvent, useRef, useState } from 'react';
import { treeStep } from './tree-keys.ts';

/**
 * Which branches are open and where the focus is. An item is known by its path, `me/12/57`: the same member can stand
 * in a branch and among what was found. One item can be reached with Tab, the others from it with the arrows.
 */
export function useTree(openAtFirst: readonly string[] = []) {
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(openAtFirst));
  const [current, setCurrent] = useState<string>();

  const moveTo = (path: string) => {
    setCurrent(path);
    root.current?.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus();
  };
  /** What was open below a branch that is closed is closed with it. */
  const toggle = (path: string) =>
    setOpen((now) =>
      now.has(path) ? new Set([...now].filter((one) => !`${one}/`.startsWith(`${path}/`))) : new Set([...now, path]),
    );

  const onKeyDown = (event: KeyboardEvent) => {
    const here = itemOf(event.target);
    // A button in the tree has keys of its own.
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
    // Whoever marks an id to copy it does not want the branch to open.
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
    /** How far in the items furthest in stand; 0 is the edge. */
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
