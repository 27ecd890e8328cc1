import { expect } from 'vitest';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { testApp } from '#test/worlds/app.ts';
import { signUp } from '#test/worlds/members.ts';
import { addTeam, settleSession } from '#test/worlds/settled-session.ts';
import { mountIncome } from '../index.ts';
import { payDue } from '../periods/pay-due.ts';

const $ = (dollars: number): bigint => BigInt(dollars * 1e6);

/**
 * Ann with a team, four sessions, and what they paid. She has three active directs, so levels 1 to 3 pay her, and level 4 lacks
 * one. With fees of 0.40 $ on 100 $: referral bonus 20 % of 3 × 0.40; level 2 10 % of 0.20 and, of the performance fee 0.478,
 * 10 % team profit; level 3 6 % of 0.40. Bob, who has nobody below, trades on his own.
 */
export async function openCallsWorld() {
  const { context, database } = await bootWithoutMarket('2026-03-04T18:00:00Z');
  const app = await testApp(context, mountIncome);
  const ann = await signUp(context, { name: 'Ann' });
  const bob = await signUp(context, { name: 'Bob' });
  const directs = await addTeam(context, [ann.memberId, ann.memberId, ann.memberId]);
  // Below the first of the directs level 2, below that level 3, below that level 4.
  const below: bigint[] = [];
  while (below.length < 3) below.push(...(await addTeam(context, [below.at(-1) ?? (directs[0] as bigint)])));
  const ownAndDirects = [
    { memberId: ann.memberId, micros: $(10) },
    ...directs.map((memberId) => ({ memberId, micros: $(100) })),
  ];
  const wholeTeam = [
    ...ownAndDirects,
    { memberId: below[0] as bigint, micros: $(50), trend: 'up' as const },
    { memberId: below[1] as bigint, micros: $(100) },
    { memberId: below[2] as bigint, micros: $(100) },
    { memberId: bob.memberId, micros: $(100) },
  ];
  await settleSession(context, '2026-02-27', wholeTeam);
  await settleSession(context, '2026-03-02', ownAndDirects);
  await settleSession(context, '2026-03-03', [{ memberId: bob.memberId, micros: $(100), trend: 'up' }]);
  await settleSession(context, '2026-03-04', wholeTeam);
  await payDue(context);

  const ask = (url: string, token = ann.token) => app.ask('GET', url, { token });
  const data = async (url: string, token = ann.token) => {
    const { status, body } = await ask(url, token);
    expect([url, status]).toEqual([url, 200]);
    return body.data;
  };
  /** A whole list, page by page. */
  const readAll = async <T>(url: string, limit: number, token = ann.token): Promise<T[]> => {
    const items: T[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages += 1) {
      expect(pages).toBeLessThan(100);
      const joint = url.includes('?') ? '&' : '?';
      const page: { items: T[]; next_cursor: string | null } = await data(
        `${url}${joint}limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
        token,
      );
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  };
  const close = async () => {
    await app.close();
    await database.close();
  };
  return { context, app, ann, bob, directs, below, ask, data, readAll, close };
}
