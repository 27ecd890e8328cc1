import { expect, test } from 'vitest';
import { findAddressFault, listUrls, Servers } from './servers.ts';

test.each([
  ['postgresql://u:p@a:5432/d', ['postgresql://u:p@a:5432/d']],
  [
    'postgres://u:p@a:1,b:2/d?sslmode=require',
    ['postgres://u:p@a:1/d?sslmode=require', 'postgres://u:p@b:2/d?sslmode=require'],
  ],
  ['postgresql://a,b,c', ['postgresql://a', 'postgresql://b', 'postgresql://c']],
  ['postgresql://u:p%2C@[::1]:1,b/d', ['postgresql://u:p%2C@[::1]:1/d', 'postgresql://u:p%2C@b/d']],
  ['postgresql:///d?host=/run/postgresql', ['postgresql:///d?host=/run/postgresql']],
  ['postgresql://u@/d?host=/run/postgresql', ['postgresql://u@/d?host=/run/postgresql']],
])('%s names its servers', (address, urls) => {
  expect(listUrls(address)).toEqual(urls);
  expect(findAddressFault(address)).toBeUndefined();
});

test.each([
  ['mysql://a/d', 'must begin with postgresql://'],
  ['postgresql://a:x/d', 'must be postgresql://user:password@host:port/database'],
  ['postgresql://a:1,b:x/d', 'must be postgresql://user:password@host:port,host:port/database'],
  ['postgresql:///d?host=a,b', 'several hosts stand between // and /, with commas between them'],
  [
    'postgresql://a,b/d?target_session_attrs=prefer-standby',
    'target_session_attrs is read-write: everything here writes, so not prefer-standby',
  ],
])('%s is refused with one line', (address, why) => {
  expect(findAddressFault(address)).toBe(why);
});

test('a server that is skipped is followed by the next one, however many connections find it down at once', () => {
  const servers = new Servers('postgresql://a,b/d');
  const first = servers.url;
  for (let times = 0; times < 3; times += 1) servers.passOver(first);
  expect(servers.url).toBe('postgresql://b/d');
  servers.passOver(servers.url);
  expect(servers.url).toBe(first);
});

test('a single server is checked only when its address asks for it', () => {
  expect(new Servers('postgresql://a/d').mustWrite).toBe(false);
  expect(new Servers('postgresql://a/d?target_session_attrs=read-write').mustWrite).toBe(true);
  expect(new Servers('postgresql://a,b/d').mustWrite).toBe(true);
});
