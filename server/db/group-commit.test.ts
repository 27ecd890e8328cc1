import { describe, expect, test } from 'vitest';
import { NoAnswer, OutcomeUnknown } from './faults.ts';
import { GroupCommit } from './group-commit.ts';
import { AcquireTimeout } from './semaphore.ts';

type Item = { readonly callerId: bigint; readonly name: string };

/** A database that answers when it is told to, in the order it was asked. */
function openGroups() {
  const asked: { readonly names: readonly string[]; readonly answer: (what: Error | 'done') => void }[] = [];
  const groups = new GroupCommit<Item, string>('test', (items) => {
    const names = items.map(({ name }) => name);
    return new Promise((resolve, reject) => {
      asked.push({
        names,
        answer: (what) => (what === 'done' ? resolve(names.map((name) => `${name} done`)) : reject(what)),
      });
    });
  });
  const add = (name: string, callerId = BigInt(name.charCodeAt(0))) => groups.add({ callerId, name });
  const answer = async (what: Error | 'done') => {
    asked.at(-1)?.answer(what);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { asked: () => asked.map(({ names }) => names.join('')), add, answer };
}

test('who comes alone goes at once, and those who come meanwhile go together', async () => {
  const { asked, add, answer } = openGroups();
  const first = add('a');
  const others = [add('b'), add('c'), add('d')];
  expect(asked()).toEqual(['a']);
  await answer('done');
  expect(await first).toBe('a done');
  expect(asked()).toEqual(['a', 'bcd']);
  await answer('done');
  expect(await Promise.all(others)).toEqual(['b done', 'c done', 'd done']);
  void add('e');
  expect(asked()).toEqual(['a', 'bcd', 'e']);
});

test('a caller has one request in a group, and a group has 64 at most', async () => {
  const { asked, add, answer } = openGroups();
  void add('a');
  for (const name of ['b', 'c', 'd']) void add(name, 1n);
  for (let index = 0; index < 70; index += 1) void add('x', BigInt(100 + index));
  await answer('done');
  expect(asked().at(-1)).toBe(`b${'x'.repeat(63)}`);
  await answer('done');
  expect(asked().at(-1)).toBe(`c${'x'.repeat(7)}`);
  await answer('done');
  expect(asked().at(-1)).toBe('d');
});

describe('what becomes of a group that fails', () => {
  test('one that was undone leaves each of its requests to be done alone', async () => {
    const { asked, add, answer } = openGroups();
    const group = [add('a'), add('b')];
    await answer(Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505' }));
    await answer('done');
    expect(await Promise.all(group)).toEqual([undefined, 'b done']);
    expect(asked()).toEqual(['a', 'b']);
  });

  test.each([
    ['gone', new NoAnswer(1)],
    ['past a limit', new AcquireTimeout()],
    ['perhaps done', new OutcomeUnknown(new NoAnswer(1))],
  ])(
    'the database is %s: nobody tries again, and who waited behind it hears at once that nothing was sent',
    async (_, fault) => {
      const { asked, add, answer } = openGroups();
      const first = expect(add('a')).rejects.toBe(fault);
      const waiting = expect(add('b')).rejects.toBeInstanceOf(AcquireTimeout);
      await answer(fault);
      await Promise.all([first, waiting]);
      expect(asked()).toEqual(['a']);
      const later = add('c');
      await answer('done');
      expect(await later).toBe('c done');
    },
  );
});
