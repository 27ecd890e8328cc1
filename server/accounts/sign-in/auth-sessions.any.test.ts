import { describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { openWorld } from '../accounts-world.test-setup.ts';
import { findCaller } from '../index.ts';

const world = closeAfterAll(await openWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts));

const list = async (token: string) => (await app.ask('GET', 'auth/sessions', { token })).body.data;
const end = (token: string, id: string) => app.ask('DELETE', `auth/sessions/${id}`, { token });
const chrome = 'Mozilla/5.0 (Windows NT 10.0) Chrome/138.0.0.0 Safari/537.36';

describe('the list of sign-ins', () => {
  test('shows device, address and times of each, last used first, and marks this one', async () => {
    const account = await world.signUp();
    const first = await world.signIn(account.referralCode);
    const signedInAt = world.clock.now();
    world.clock.advance(3600);
    await world.signIn(account.referralCode, { remember: true, userAgent: chrome });
    const secondAt = world.clock.now();
    world.clock.advance(3600);
    const days = (from: Date, count: number) => new Date(from.getTime() + count * 86_400_000).toISOString();
    const now = world.clock.now();
    expect(await list(first)).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        device: 'Firefox on Linux',
        address: '192.0.2.7',
        created_at: signedInAt.toISOString(),
        last_used_at: now.toISOString(),
        expires_at: days(now, 1),
        current: true,
      },
      {
        id: expect.stringMatching(/^\d+$/),
        device: 'Chrome on Windows',
        address: '192.0.2.7',
        created_at: secondAt.toISOString(),
        last_used_at: secondAt.toISOString(),
        expires_at: days(secondAt, 30),
        current: false,
      },
    ]);
  });

  test('omits ended sign-ins, and those of others', async () => {
    const account = await world.signUp();
    await world.signIn(account.referralCode);
    world.clock.advance(86_400);
    await world.signIn((await world.signUp()).referralCode);
    expect(await list(await world.signIn(account.referralCode))).toHaveLength(1);
  });
});

describe('ending', () => {
  test('one sign-in leaves the others; its token is refused at once', async () => {
    const account = await world.signUp();
    const [kept, lost] = [await world.signIn(account.referralCode), await world.signIn(account.referralCode)];
    // In the cache, as for an open page.
    expect(await findCaller(world.context, lost)).toBeDefined();
    const other = (await list(kept)).find((session: { current: boolean }) => !session.current);
    expect(await end(kept, other.id)).toMatchObject({ status: 200, body: { data: null } });
    expect(await app.ask('GET', 'auth/me', { token: lost })).toMatchObject({ status: 401 });
    expect((await app.ask('GET', 'auth/me', { token: kept })).status).toBe(200);
    expect((await world.listActions(`member:${account.memberId}`)).at(-1)).toBe('member.end_sessions');
    expect(await end(kept, other.id)).toMatchObject(refusal(404, 'not_found'));
  });

  test('another member’s sign-in is impossible, and reads like one that does not exist', async () => {
    const [account, other] = [await world.signUp(), await world.signUp()];
    const [token, foreign] = [await world.signIn(account.referralCode), await world.signIn(other.referralCode)];
    const [{ id }] = await list(foreign);
    const [refused, unknown] = [await end(token, id), await end(token, '999999')];
    expect(refused.status).toBe(404);
    expect(refused.text).toBe(unknown.text);
    expect(await list(foreign)).toHaveLength(1);
  });

  test('all others returns their number, and keeps this one', async () => {
    const account = await world.signUp();
    const [kept, ...lost] = [
      await world.signIn(account.referralCode),
      await world.signIn(account.referralCode),
      await world.signIn(account.referralCode),
    ];
    const endOthers = () => app.ask('DELETE', 'auth/sessions', { token: kept });
    expect(await endOthers()).toMatchObject({ status: 200, body: { data: { ended: 2 } } });
    for (const token of lost) expect(await findCaller(world.context, token)).toBeUndefined();
    expect(await endOthers()).toMatchObject({ body: { data: { ended: 0 } } });
    expect(await list(kept)).toHaveLength(1);
  });
});
