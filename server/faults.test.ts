import { expect, test } from 'vitest';
import { Faults } from './faults.ts';

const fail = (message: string) => async () => {
  throw new RangeError(message);
};

test('a part that fails delays no other, and all errors are thrown at the end', async () => {
  const faults = new Faults();
  expect(await faults.keep(fail('one'))).toBeUndefined();
  expect(await faults.keep(async () => 2)).toBe(2);
  expect(() => faults.throwAny()).toThrow(new RangeError('one'));
  expect(() => faults.throwAny('Rows that failed')).toThrow('Rows that failed: 1');
  await faults.keep(fail('three'));
  expect(faults.last).toEqual(new RangeError('three'));
  expect(() => faults.throwAny()).toThrow(AggregateError);
  expect(() => faults.throwFirst()).toThrow('one');
});

test('nothing is thrown without an error, and one that concerns all parts at once', async () => {
  const faults = new Faults();
  await expect(faults.keep(fail('all'), RangeError)).rejects.toThrow('all');
  faults.throwAny('Rows that failed');
  faults.throwFirst();
});
