import { beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '../../test/account.ts';
import { isWholeMember, readStored, removeStored, writeStored } from './storage.ts';

beforeEach(() => {
  vi.mocked(console.error).mockImplementation(() => undefined);
});

/** Expects that the failure was logged, and nothing else. */
const expectLogged = () => {
  expect(console.error).toHaveBeenCalledOnce();
  vi.mocked(console.error).mockClear();
};

test('values are stored as JSON', () => {
  writeStored('referral_code', 'TW7K3QMX9D');
  expect(localStorage.getItem('referral_code')).toBe('"TW7K3QMX9D"');
  expect(readStored('referral_code')).toBe('TW7K3QMX9D');
});

test('a missing or removed value is undefined', () => {
  expect(readStored('accessToken')).toBeUndefined();
  writeStored('accessToken', 'secret');
  removeStored('accessToken');
  expect(readStored('accessToken')).toBeUndefined();
});

test('a value that is not JSON is logged and ignored', () => {
  localStorage.setItem('accessToken', 'not json');
  expect(readStored('accessToken')).toBeUndefined();
  expectLogged();
});

const whole = aUser();

test.each([
  ['{}', {}],
  ['{"id":"7"}', { id: '7' }],
  [JSON.stringify(whole), whole],
  [JSON.stringify({ ...whole, more: 1 }), whole],
  ['{"id":7,"name":null,"referral_code":["x"],"email":"a@b.test","created_at":"soon"}', { email: 'a@b.test' }],
  ['null', undefined],
  ['"Anika"', undefined],
  ['[1]', undefined],
  ['7', undefined],
])('of a stored member, %s, the valid fields are kept', (text, member) => {
  localStorage.setItem('userDetail', text);
  expect(readStored('userDetail')).toEqual(member);
  expect(isWholeMember(readStored('userDetail'))).toBe(member === whole);
});

test.each([
  ['accessToken', 'null'],
  ['accessToken', '7'],
  ['accessToken', '{}'],
  ['accessToken', '""'],
  ['accessToken', '"two words"'],
  ['accessToken', '"snow ☃"'],
  ['operatorToken', 'null'],
  ['operator', '{"id":"1"}'],
  ['openedBy', '{"name":"Ines","until":"soon"}'],
  ['referral_code', '{}'],
] as const)('%s stored as %s counts as none', (key, text) => {
  localStorage.setItem(key, text);
  expect(readStored(key)).toBeUndefined();
});

test.each([
  ['reading', () => readStored('accessToken')],
  ['writing', () => writeStored('accessToken', 'secret')],
  ['removing', () => removeStored('accessToken')],
])('a storage that fails when %s is logged, not thrown', (_, act) => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse, clear: () => undefined });
  expect(act).not.toThrow();
  expectLogged();
});
