import { screen, within } from '@testing-library/react';

export const textsOf = (elements: Iterable<Element>) => Array.from(elements, ({ textContent }) => textContent);

/** What the items of a list say, or other parts with a role. */
export const partsOf = (whole: HTMLElement, role = 'listitem') => textsOf(within(whole).getAllByRole(role));

/** The cells of a table, row by row, without its header. */
export const rowsOf = (table: HTMLElement) => {
  const [, ...rows] = within(table).getAllByRole('row');
  return rows.map(({ children }) => textsOf(children));
};

/** What stands beside a label. */
export const beside = (label: string, options = {}) => screen.getByText(label, options).nextElementSibling?.textContent;
