import { describe, expect, test } from 'vitest';
import { NoAnswer, OutcomeUnknown } from './faults.ts';
import { GroupCommit } from './group-commit.ts';
import { AcquireTimeout } from './semaphore.ts';

type Item = { readonly callerId: bigint; readonly name: string };

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A database that answers on demand, always the oldest unanswered query. */
function openGroups(most = 1) {
  const asked: { readonly names: string; readonly answer: (what: Error | 'done') => void }[] = [];
  const open: (typeof asked)[number][] = [];
  const groups = new GroupCommit<Item, string>({ name: 'test', groups: most }, (items) => {
    const names = items.map(({ name }) => name);
    return new Promise((resolve, reject) => {
      const one = {
        names: names.join(''),
        answer: (what: Error | 'done') =>
          what === 'done' ? resolve(names.map((name) => `${name} done`)) : reject(what),
      };
      asked.push(one);
      open.push(one);
    });
  });
  const add = (name: string, callerId = BigInt(name.charCodeAt(0))) => groups.add({ callerId, name });
  const answer = async (what: Error | 'done') => {
    open.shift()?.answer(what);
    await turn();
  };
  return { asked: () => asked.map(({ names }) => names), add, answer };
}

test('a single request is sent in the same tick, and later ones are grouped together', async () => {
  const { asked, add, answer } = openGroups();
  const first = add('a');
  await turn();
  expect(asked()).toEqual(['a']);
  const others = [add('b'), add('c')];
  await turn();
  others.push(add('d'));
  await turn();
  expect(asked()).toEqual(['a']);
  await answer('done');
  expect(await first).toBe('a done');
  expect(asked()).toEqual(['a', 'bcd']);
  await answer('done');
  expect(await Promise.all(others)).toEqual(['b done', 'c done', 'd done']);
  void add('e');
  await turn();
  expect(asked()).toEqual(['a', 'bcd', 'e']);
});

test('requests of one tick are grouped together', async () => {
  const { asked, add } = openGroups();
  for (const name of ['a', 'b', 'c']) void add(name);
  await turn();
  expect(asked()).toEqual(['abc']);
});

test('a second group starts before the first ends once it is as large, and a third waits for one of them', async () => {
  const { asked, add, answer } = openGroups(2);
  const all = [add('a'), add('b')];
  await turn();
  all.push(add('c'));
  await turn();
  expect(asked()).toEqual(['ab']);
  all.push(add('d'));
  await turn();
  expect(asked()).toEqual(['ab', 'cd']);
  for (const name of ['e', 'f', 'g', 'h', 'i']) all.push(add(name));
  await turn();
  expect(asked()).toEqual(['ab', 'cd']);
  await answer('done');
  expect(asked()).toEqual(['ab', 'cd', 'efghi']);
  await answer('done');
  await answer('done');
  expect(await Promise.all(all)).toEqual([...'abcdefghi'].map((name) => `${name} done`));
});

test('a caller has one request in the running groups, and a group has at most 64', async () => {
  const { asked, add, answer } = openGroups(2);
  void add('a', 1n);
  await turn();
  for (const name of ['b', 'c', 'd']) void add(name, 1n);
  await turn();
  expect(asked()).toEqual(['a']);
  for (let index = 0; index < 70; index += 1) void add('x', BigInt(100 + index));
  await turn();
  expect(asked()).toEqual(['a', 'x'.repeat(64)]);
  await answer('done');
  expect(asked().at(-1)).toBe('x'.repeat(64));
  await answer('done');
  expect(asked().at(-1)).toBe(`b${'x'.repeat(6)}`);
  await answer('done');
  expect(asked().at(-1)).toBe('c');
  await answer('done');
  expect(asked().at(-1)).toBe('d');
});

describe('a group that fails', () => {
  test('when rolled back, leaves each of its requests to be done alone', async () => {
    const { asked, add, answer } = openGroups();
    const group = [add('a')];
    await turn();
    group.push(add('b'));
    await answer(Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505' }));
    await answer('done');
    expect(await Promise.all(group)).toEqual([undefined, 'b done']);
    expect(asked()).toEqual(['a', 'b']);
  });

  test.each([
    ['no answer', new NoAnswer(1)],
    ['a limit exceeded', new AcquireTimeout()],
    ['an unknown outcome', new OutcomeUnknown(new NoAnswer(1))],
  ])(
    'with %s is not retried, fails those queued behind it as not sent, and spares the group beside it',
    async (_, fault) => {
      const { asked, add, answer } = openGroups(2);
      const first = expect(add('a')).rejects.toBe(fault);
      await turn();
      const beside = [add('c'), add('d')];
      await turn();
      const waiting = expect(add('e')).rejects.toBeInstanceOf(AcquireTimeout);
      await turn();
      await answer(fault);
      await Promise.all([first, waiting]);
      expect(asked()).toEqual(['a', 'cd']);
      await answer('done');
      expect(await Promise.all(beside)).toEqual(['c done', 'd done']);
      const later = add('f');
      await turn();
      await answer('done');
      expect(await later).toBe('f done');
    },
  );
});
