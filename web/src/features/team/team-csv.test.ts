import { expect, test } from 'vitest';
import { anOverview, aTeamMember } from '../../../test/team.ts';
import { csvOf } from '../../ui/table/csv-export.tsx';
import { memberFile } from './member-list.tsx';
import { growthCsv, legsCsv, levelsCsv } from './team-analysis-page.tsx';

test('a member is one line with a cell for each head, and a name that is a formula is defused', () => {
  const text = csvOf(memberFile(true), [aTeamMember({ name: '=HYPERLINK("x")', active: false })]);
  expect(text.split('\r\n')[1]).toBe(
    '1,"\'=HYPERLINK(""x"")",TW9PD4VQ7M,••••••4127,k•••@t•••.example,2026-02-20T10:00:00Z,no,3420,61,3',
  );
});

test('levels, legs and growth are exported as shown', () => {
  const overview = anOverview();
  expect(levelsCsv(overview).rows.slice(1, 3)).toEqual([
    [2, 21, 10, 14000, 56, 10, 'yes', 5.6],
    [3, 3, 1, 1000, 4, 6, 'no', 1.65],
  ]);
  expect(legsCsv(overview).rows).toEqual([
    ['Kabir Sethi', 'TW9PD4VQ7M', 15000],
    ['Meera Nair', 'TWX5C2HK8R', 5000],
  ]);
  expect([levelsCsv(overview).head, legsCsv(overview).head].flat().filter((head) => head.endsWith('(USD)'))).toEqual([
    'Volume (USD)',
    'Trade fees (USD)',
    'Bonus (USD)',
    'Volume of the leg (USD)',
  ]);
  expect(growthCsv(overview).rows[0]).toEqual(['2026-02-02', 20, 12]);
});

test('unknown figures are empty cells, not zeros', () => {
  expect(csvOf(memberFile(false), [aTeamMember({ volume: 0 })])).toContain('Z,yes,,61,3');
  const overview = anOverview({ as_of: null });
  expect(levelsCsv(overview).rows[0]).toEqual([1, 8, null, null, null, 20, 'yes', null]);
  expect(legsCsv(overview).rows[0]).toEqual(['Kabir Sethi', 'TW9PD4VQ7M', null]);
});
