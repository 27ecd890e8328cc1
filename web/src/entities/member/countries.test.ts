import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { findCountries, listCountries } from './countries.ts';

const countries = listCountries();
const find = (search: string) => findCountries(countries, search).map(({ name }) => name);

test('the list is that of the numbering plan, each country with its dial code', () => {
  const expected = getCountries().map((code) => [code, `+${getCountryCallingCode(code)}`]);
  const actual = countries.map(({ code, dial_code }) => [code, dial_code]);
  expect(new Map(actual as [string, string][])).toEqual(new Map(expected as [string, string][]));
});

test('it is sorted by display name', () => {
  const names = countries.map(({ name }) => name);
  expect(names).toContain('United Arab Emirates');
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
});

test.each([
  ['ind', ['India', 'Indonesia', 'British Indian Ocean Territory']],
  ['IN', expect.arrayContaining(['India', 'China', 'Finland'])],
  ['+91', ['India']],
  ['971', ['United Arab Emirates']],
  ['nowhere', []],
])('%s finds %o', (search, names) => {
  expect(find(search)).toEqual(names);
});

test.each([
  ['India', 'India'],
  ['in', 'India'],
  ['US', 'United States'],
])('%s finds %s first', (search, name) => {
  expect(find(search)[0]).toBe(name);
});
