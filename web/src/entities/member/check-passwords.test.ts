import { expect, test } from 'vitest';
import { identity } from '#contract/accounts/sign-in.ts';
import { checkPasswords } from './check-passwords.ts';

test.each([
  ['', '', { current_password: 'Password is required', password: 'Password is required' }],
  ['old one', '', { password: 'Password is required' }],
  ['', 'long enough', { current_password: 'Password is required' }],
  ['old one', '1234567', { password: 'At least 8 characters.' }],
  ['old one', '12345678', {}],
])('current %j and new %j', (current_password, password, errors) => {
  expect(checkPasswords({ current_password, password })).toEqual(errors);
  // The contract refuses the same fields with the same first message.
  const server = identity.changePassword.body.safeParse({ current_password, password });
  const said: Record<string, string> = {};
  for (const issue of server.error?.issues ?? []) said[String(issue.path[0])] ??= issue.message;
  expect(said).toEqual(errors);
});
