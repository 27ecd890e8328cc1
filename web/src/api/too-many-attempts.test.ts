import { expect, test } from 'vitest';
import { trading } from '#contract/endpoints.ts';
import { refused, stubServer } from '../../test/server.ts';
import { call } from './call.ts';

const moment = 'Too many attempts. Wait a moment, then try again.';

test.each([
  [{}, moment],
  [{ 'retry-after': '60' }, moment],
  [{ 'retry-after': '841' }, 'Too many attempts. Try again in 15 minutes.'],
  [{ 'retry-after': '5400' }, 'Too many attempts. Try again in 90 minutes.'],
  [{ 'retry-after': '5401' }, 'Too many attempts. Try again in 2 hours.'],
  [{ 'retry-after': '86399' }, 'Too many attempts. Try again in 24 hours.'],
])('after too many attempts a page says how long to wait: %o', async (headers, message) => {
  stubServer({ 'GET /auth/wallet-balance': { ...refused(429, 'too_many_requests', moment), headers } });
  await expect(call(trading.getWalletBalance)).rejects.toThrow(message);
});
