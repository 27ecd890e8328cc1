import { expect, test } from 'vitest';
import { asAttachment } from './mount.ts';

test.each([
  ['list.csv', 'attachment; filename="list.csv"'],
  ['transfer (2) 1.png', 'attachment; filename="transfer (2) 1.png"'],
  ['übersicht.png', `attachment; filename="_bersicht.png"; filename*=UTF-8''%C3%BCbersicht.png`],
  [`it's.pdf`, `attachment; filename="it_s.pdf"; filename*=UTF-8''it%27s.pdf`],
  ['\ud800.png', `attachment; filename="_.png"; filename*=UTF-8''%EF%BF%BD.png`],
])('%j is written in the header as %s', (name, header) => {
  expect(asAttachment(name)).toBe(header);
});

test.each(['a"; filename="b.exe', 'a\r\nset-cookie: x=1', 'a\\"b', 'a;b', 'a%00b'])(
  '%j terminates neither its parameter nor the header',
  (name) => {
    const [, plain, encoded] = /^attachment; filename="([^"\\\r\n;%]*)"; filename\*=UTF-8''([A-Za-z0-9%._~!-]+)$/.exec(
      asAttachment(name),
    ) as RegExpExecArray;
    expect(plain).toMatch(/^[A-Za-z0-9 ._()-]+$/);
    expect(decodeURIComponent(encoded as string)).toBe(name);
  },
);
