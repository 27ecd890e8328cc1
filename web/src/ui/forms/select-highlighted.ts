import type { KeyboardEvent } from 'react';

/**
 * For a searchable Select whose first match is highlighted (`selectFirstOptionOnChange`). Mantine reads the option to
 * select in a timer after the list has opened: for whoever types faster than that, or pastes, Enter would submit the
 * form although an option is highlighted.
 */
export function selectHighlighted(event: KeyboardEvent<HTMLInputElement>): void {
  const isOpen = event.currentTarget.dataset.expanded === 'true';
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isOpen) return;
  const option = document.querySelector<HTMLElement>('[data-combobox-selected]');
  if (option === null) return;
  event.preventDefault();
  option.click();
}
