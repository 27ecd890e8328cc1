import type { Page } from 'playwright-core';

type Role = 'link' | 'button' | 'textbox' | 'checkbox' | 'radio' | 'combobox' | 'switch' | 'tab' | 'treeitem';

/** Enough for the longest page, menu and all. */
const MOST_STEPS = 150;

/** Goes on with Tab until the focus is there: what cannot be reached by keyboard is never found. */
export async function reach(page: Page, role: Role, name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await target.waitFor({ state: 'attached' });
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (await target.evaluate(isFocused)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`nobody comes to ${name} by keyboard`);
}

/** Enter on a link or button that Tab leads to. */
export async function press(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  await reach(page, role, name);
  await page.keyboard.press('Enter');
}

/** Space on a box that Tab leads to. */
export async function tick(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, 'checkbox', name);
  await page.keyboard.press('Space');
}

/** Types over what a field holds. */
export async function write(page: Page, name: string | RegExp, text: string): Promise<void> {
  await reach(page, 'textbox', name);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/**
 * Of a group of radios Tab comes to one, and the arrows go on from it: presses them until this one is chosen.
 * @param first what Tab comes to: the radio that is chosen, or the first of a group without a choice
 */
export async function choose(page: Page, first: string | RegExp, name: string | RegExp): Promise<void> {
  await reach(page, 'radio', first);
  await page.keyboard.press('Space');
  const target = page.getByRole('radio', { name });
  for (let step = 0; step < MOST_STEPS && !(await target.isChecked()); step += 1)
    await page.keyboard.press('ArrowDown');
  if (!(await target.isChecked())) throw new Error(`nobody chooses ${name} by keyboard`);
}

export const isFocused = (element: Element): boolean => element === document.activeElement;
