import { describe, expect, test } from 'vitest';
import {
  approvedEmail,
  disabledEmail,
  invitationEmail,
  loweredEmail,
  proposedEmail,
  subjectOf,
} from './operator-emails.ts';
import { invitationEnd, isHigher, missingFactor, needsSecondAdmin, waitMsOf } from './operator-rules.ts';

const now = new Date('2026-03-04T12:00:00Z');

test.each([
  ['support', 'finance', true],
  ['support', 'admin', true],
  ['finance', 'admin', true],
  ['admin', 'finance', false],
  ['finance', 'support', false],
  ['finance', 'finance', false],
] as const)('from %s to %s is higher: %s', (from, to, expected) => {
  expect(isHigher(from, to)).toBe(expected);
});

describe('a second admin is required', () => {
  test.each([
    ['invite', 'support', false],
    ['invite', 'finance', true],
    ['invite', 'admin', true],
    ['raise', 'finance', true],
    ['raise', 'admin', true],
    ['reset', 'support', true],
    ['reset', 'admin', true],
  ] as const)('%s %s once two were there: %s, and never before', (kind, role, expected) => {
    expect(needsSecondAdmin({ kind, role }, true)).toBe(expected);
    expect(needsSecondAdmin({ kind, role }, false)).toBe(false);
  });
});

test.each([
  ['live', 'admin', true, 0, 'passkey'],
  ['live', 'finance', true, 0, 'passkey'],
  ['live', 'support', true, 0, null],
  ['live', 'support', false, 0, 'any'],
  ['live', 'admin', false, 1, null],
  ['staging', 'admin', true, 0, null],
  ['paper', 'admin', false, 0, 'any'],
] as const)('in %s mode %s with an app (%s) and %i passkeys lacks: %s', (mode, role, hasApp, passkeys, expected) => {
  expect(missingFactor({ mode, role, hasApp, passkeys })).toBe(expected);
});

test('an approved proposal waits 24 hours, except a reset, which grants nothing and is executed at once', () => {
  expect([waitMsOf('invite'), waitMsOf('raise'), waitMsOf('reset')]).toEqual([86_400_000, 86_400_000, 0]);
  expect(invitationEnd(now)).toEqual(new Date('2026-03-06T12:00:00Z'));
});

test('an email names its subject, the link and its expiry', () => {
  const olga = { name: 'Olga Berg', email: 'olga@mail.test', role: 'finance', why: 'accounting' } as const;
  expect(subjectOf({ ...olga, kind: 'invite' })).toBe(
    'a new operator account for Olga Berg (olga@mail.test) with the role finance',
  );
  expect(subjectOf({ ...olga, kind: 'raise' })).toBe('the role finance for Olga Berg (olga@mail.test)');
  expect(subjectOf({ ...olga, kind: 'reset' })).toContain('a reset of the sign-in of Olga Berg');
  const { text, subject } = invitationEmail(
    'Tradewind',
    'finance',
    'https://x.test/operator/invitation#abc',
    now,
    false,
  );
  expect(text).toContain('https://x.test/operator/invitation#abc\n');
  expect(text).toContain('until 4 Mar 2026, 12:00 UTC');
  expect(subject).not.toContain('abc');
});

describe('an email offers to withdraw a change only while it waits', () => {
  const url = 'https://x.test/operator/operators';
  const reset = {
    kind: 'reset',
    name: 'Olga Berg',
    email: 'olga@mail.test',
    role: 'finance',
    why: 'new phone',
  } as const;
  const withdraw = `An admin can withdraw it: ${url}`;
  const disable = `An admin can disable the account: ${url}`;

  test.each([
    ['proposed', proposedEmail('Tradewind', 'Anna', reset, true, url), withdraw],
    ['proposed by the only admin', proposedEmail('Tradewind', 'Anna', reset, false, url), disable],
    ['approved, due later', approvedEmail('Tradewind', 'Ben', { ...reset, kind: 'raise' }, now, url), withdraw],
    ['approved and executed', approvedEmail('Tradewind', 'Ben', reset, undefined, url), disable],
  ] as const)('%s', (_, { text }, expected) => {
    expect(text.trimEnd().endsWith(expected)).toBe(true);
    expect(text.includes('executed at once')).toBe(expected === disable);
  });
});

test('an email about an admin who acted alone says what another one can do', () => {
  const olga = { name: 'Olga Berg', email: 'olga@mail.test', role: 'finance' } as const;
  const url = 'https://x.test/operator/operators';
  const lower = { from: 'finance', to: 'support', why: 'less to do' } as const;
  for (const { text } of [
    loweredEmail('Tradewind', 'Anna', olga, lower, url),
    disabledEmail('Tradewind', 'Anna', olga, 'left us', url),
  ])
    expect(text).toContain(
      `If you did not expect this, ask Anna. If it was not them, another admin can disable their account: ${url}`,
    );
});
