import type { Page } from 'playwright-core';

type Role = 'link' | 'button' | 'textbox' | 'checkbox' | 'radio' | 'combobox' | 'switch' | 'tab' | 'treeitem';

/** Enough for the longest page, including its menu. */
const MAX_STEPS = 150;

/** Presses Tab until the element has the focus; fails if the keyboard cannot reach it. */
export async function reach(page: Page, role: Role, name: string | RegExp): Promise<void> {
  const target = page.getByRole(role, { name, exact: typeof name === 'string' }).first();
  await target.waitFor({ state: 'attached' });
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (await target.evaluate(isFocused)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`nobody comes to ${name} by keyboard`);
}

/** Presses Enter on a link or button reached by Tab. */
export async function press(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  await reach(page, role, name);
  await page.keyboard.press('Enter');
}

/** Presses Space on a checkbox reached by Tab. */
export async function tick(page: Page, name: string | RegExp): Promise<void> {
  await reach(page, 'checkbox', name);
  await page.keyboard.press('Space');
}

/** Replaces the content of a field. */
export async function write(page: Page, name: string | RegExp, text: string): Promise<void> {
  await reach(page, 'textbox', name);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/**
 * Tab stops at one radio of a group, and the arrow keys move on from there: presses them until this one is chosen.
 * @param first where Tab stops: the chosen radio, or the first one if none is chosen
 */
export async function choose(page: Page, first: string | RegExp, name: string | RegExp): Promise<void> {
  await reach(page, 'radio', first);
  await page.keyboard.press('Space');
  const target = page.getByRole('radio', { name });
  for (let step = 0; step < MAX_STEPS && !(await target.isChecked()); step += 1) await page.keyboard.press('ArrowDown');
  if (!(await target.isChecked())) throw new Error(`nobody chooses ${name} by keyboard`);
}

export const isFocused = (element: Element): boolean => element === document.activeElement;
