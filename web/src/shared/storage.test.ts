import { beforeEach, expect, test, vi } from 'vitest';
import { readStored, removeStored, writeStored } from './storage.ts';

beforeEach(() => {
  vi.mocked(console.error).mockImplementation(() => undefined);
});

/** The failure was logged, and only that. */
const expectLogged = () => {
  expect(console.error).toHaveBeenCalledOnce();
  vi.mocked(console.error).mockClear();
};

test('values are kept as JSON', () => {
  writeStored('referral_code', 'TW7K3QMX9D');
  expect(localStorage.getItem('referral_code')).toBe('"TW7K3QMX9D"');
  expect(readStored('referral_code')).toBe('TW7K3QMX9D');
});

test('what is not there is undefined, also after it was removed', () => {
  expect(readStored('accessToken')).toBeUndefined();
  writeStored('accessToken', 'secret');
  removeStored('accessToken');
  expect(readStored('accessToken')).toBeUndefined();
});

test('a value that is no JSON is logged and counts as none', () => {
  localStorage.setItem('accessToken', 'not json');
  expect(readStored('accessToken')).toBeUndefined();
  expectLogged();
});

test.each([
  ['reading', () => readStored('accessToken')],
  ['writing', () => writeStored('accessToken', 'secret')],
  ['removing', () => removeStored('accessToken')],
])('a storage that fails at %s is logged, not thrown', (_, act) => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse, clear: () => undefined });
  expect(act).not.toThrow();
  expectLogged();
});
