import { expect, test } from 'vitest';
import { readEntryCursor, searchWords, writeEntryCursor } from '../list-entries.ts';
import { type EntryFields, entryBytes, sealBytes } from './canonical.ts';

const entry: EntryFields = {
  id: 1n,
  tx: 2n,
  actor_kind: 'member',
  actor_id: 3n,
  action: 'ab',
  subject: 'c',
  before: null,
  after: '',
  address: null,
  created_at_micros: 4n,
};

test('the bytes of an entry are its kind and every field with its length', () => {
  const field = (text: string) => `${text.length.toString(16).padStart(8, '0')}${Buffer.from(text).toString('hex')}`;
  const fields = ['audit entry', '1', '2', 'member', '3', 'ab', 'c'].map(field);
  expect(entryBytes(entry).toString('hex')).toBe([...fields, 'ffffffff', '00000000', 'ffffffff', field('4')].join(''));
});

// ../seal-audit.any.test.ts tests that a change of any field is detected.
test('moving a letter to the next field changes the bytes, and so does turning null into empty text or back', () => {
  for (const change of [{ action: 'a', subject: 'bc' }, { before: '' }, { after: null }, { address: '' }])
    expect(entryBytes({ ...entry, ...change })).not.toEqual(entryBytes(entry));
});

test('a seal has bytes that no entry can have', () => {
  const bytes = sealBytes({
    no: 1n,
    horizon: 2n,
    entry_count: 3n,
    root: Buffer.alloc(32),
    previous_hash: Buffer.alloc(32),
    sealed_at_micros: 4n,
  });
  expect(bytes.subarray(4, 14).toString()).toBe('audit seal');
});

test.each([
  ['Member:17 anna@mail.test', ['member', '17', 'anna', 'mail', 'test']],
  ["o'hara & <b>", ['o', 'hara', 'b']],
  ['Ünal', ['ünal']],
  ['… --', []],
])('%j is searched as %j', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

test('a cursor is read as written, and anything else is invalid', () => {
  const place = { atMicros: 1_772_625_600_000_001n, id: 17n };
  expect(readEntryCursor(writeEntryCursor(place))).toEqual(place);
  for (const text of ['17', '1772625600000001_', '1772625600000001_0', 'x_1'])
    expect(readEntryCursor(text)).toBeUndefined();
});
