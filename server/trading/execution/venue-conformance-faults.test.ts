import { describe, expect, test } from 'vitest';
import { exchanges, type FakeExchange } from '#test/fake-servers/exchange.ts';
import { openTestVenue } from '#test/worlds/exchange-world.ts';
import type { OrderRequest, VenueFault, VenueFaultKind } from './venue-port.ts';
import { faultOf, VenueWorld } from './venue-world.test.fixture.ts';

describe.each(Object.keys(exchanges))('%s', (id) => {
  const world = new VenueWorld(id);

  describe('a refusal', () => {
    const refused: readonly (readonly [string, () => Promise<unknown> | unknown, Partial<OrderRequest>])[] = [
      ['for lack of funds', () => world.node.account.balances.set(world.its.dollar, 1n), {}],
      [
        'in a market that closed',
        async () => {
          await world.venue.listTerms();
          world.pair().status = 'BREAK';
        },
        {},
      ],
      [
        'for an asset that was delisted',
        async () => {
          await world.venue.listTerms();
          world.node.market.pairs.delete(world.node.nameOf('btc'));
        },
        {},
      ],
      ['for an asset that was never listed', () => world.node.market.pairs.delete(world.node.nameOf('btc')), {}],
      ['for an asset that the account may not trade', () => world.plan('send', world.node.answers.restricted), {}],
      ['below the smallest order', () => {}, { quantity: '0.000001' }],
      ['between two lots', () => Object.assign(world.pair(), { stepSize: '0.00010000' }), { quantity: '0.300015' }],
      ['between two ticks', () => {}, { limitPrice: '60180.005' }],
    ];
    test.each(refused)('%s concerns the order alone', async (_, prepare, order) => {
      await prepare();
      expect(await faultOf(world.venue.sendOrder(world.ask(order)))).toMatchObject({
        name: 'VenueFault',
        kind: 'refused',
      });
      expect(world.node.account.orders).toEqual([]);
    });

    test('of a key concerns every call', async () => {
      await world.venue.listTerms();
      world.plan('balances', world.node.answers.badKey);
      expect(await faultOf(world.venue.listBalances())).toMatchObject({ kind: 'unauthorised' });
      world.node.interferences.length = 0;
      for (const wrong of [{ apiKey: 'another' }, { secret: Buffer.from('another').toString('base64') }]) {
        const other = await openTestVenue(world.context, { ...world.node, keys: { ...world.node.keys, ...wrong } });
        expect(await faultOf(other.listBalances())).toMatchObject({ kind: 'unauthorised' });
      }
    });
  });

  describe('a missing answer', () => {
    test.each<[keyof FakeExchange['calls']]>([['send'], ['balances']])(
      'due to rate limiting (%s) means not taken; the exchange is left alone for as long as it says',
      async (call) => {
        await world.venue.listTerms();
        world.plan(call, world.node.answers.tooMany);
        const order = world.ask();
        const fault = await faultOf(call === 'send' ? world.venue.sendOrder(order) : world.venue.listBalances());
        const { retryAfterMs } = world.its;
        expect(fault).toMatchObject({ kind: 'not_taken', retryAfterMs });
        const asked = world.node.signedCalls.length;
        world.clock.advance(1);
        const next = await Promise.all([
          faultOf(world.venue.listBalances()),
          faultOf(world.venue.sendOrder(world.ask())),
        ]);
        const left = { kind: 'not_taken', message: fault.message, retryAfterMs: retryAfterMs - 1000 };
        expect(next).toMatchObject([left, left]);
        expect(world.node.signedCalls).toHaveLength(asked);
        world.clock.advance(retryAfterMs / 1000);
        expect(await world.venue.findOrder('btc', order.clientOrderId)).toBeUndefined();
      },
    );

    test.each<['do_and_hang' | 'do_and_break', readonly VenueFaultKind[]]>([
      ['do_and_hang', ['unknown']],
      ['do_and_break', ['unknown', 'unreachable']],
    ])('after acceptance (%s): the order is found', async (interference, kinds) => {
      await world.venue.listTerms();
      world.plan('send', interference);
      const order = world.ask();
      expect(kinds).toContain((await faultOf(world.venue.sendOrder(order))).kind);
      expect(await world.filledOf(order)).toBe(0.3);
      expect(world.node.account.orders).toHaveLength(1);
    });

    test('to an order that never arrived: the order does not exist', async () => {
      await world.venue.listTerms();
      world.plan('send', 'break');
      const order = world.ask();
      expect(['unknown', 'unreachable']).toContain((await faultOf(world.venue.sendOrder(order))).kind);
      expect(await world.filledOf(order)).toBeUndefined();
    });

    test('to a request that arrives too late: the exchange refuses it', async () => {
      await world.venue.listTerms();
      world.plan('send', 'delay');
      const order = world.ask();
      expect((await faultOf(world.venue.sendOrder(order))).kind).toBe('unknown');
      world.clock.advance(10);
      world.node.deliverLate();
      expect(world.node.account.orders).toEqual([]);
      expect(await world.filledOf(order)).toBeUndefined();
    });

    test('to an order claimed too long ago: it is not executed', async () => {
      await world.venue.listTerms();
      const order = world.ask({ sentAt: new Date(world.clock.now().getTime() - 10_000) });
      expect(['not_taken', 'unknown']).toContain((await faultOf(world.venue.sendOrder(order))).kind);
      expect(world.node.account.orders).toEqual([]);
    });

    test.each<'maintenance' | 'busy'>(['maintenance', 'busy'])('in %s leaves the outcome unknown', async (kind) => {
      await world.venue.listTerms();
      world.plan('send', world.node.answers[kind]);
      expect(['unreachable', 'unknown']).toContain((await faultOf(world.venue.sendOrder(world.ask()))).kind);
      world.plan('balances', world.node.answers[kind]);
      expect(['unreachable', 'unknown']).toContain((await faultOf(world.venue.listBalances())).kind);
      expect(await world.venue.listBalances()).toBeDefined();
    });

    test('because the exchange is down or a proxy answers: the call fails', async () => {
      await world.venue.listTerms();
      await world.node.goAway();
      expect(['unreachable', 'unknown']).toContain((await faultOf(world.venue.listBalances())).kind);
      await world.node.comeBack();
      expect(await world.venue.listBalances()).toBeDefined();
      world.plan('balances', { status: 502, body: '<html>Bad gateway</html>' });
      expect((await faultOf(world.venue.listBalances())).kind).toBe('unknown');
    });
  });

  describe('an answer without its content', () => {
    test.each([
      null,
      {},
      { error: [] },
      { error: [], result: null },
      { error: [], data: null },
      '<html>Back soon</html>',
    ])('is unreadable, and never means that there is nothing: %j', async (body) => {
      await world.venue.listTerms();
      world.plan('find', { status: 200, body });
      world.plan('balances', { status: 200, body });
      expect(await faultOf(world.venue.findOrder('btc', world.nextId()))).toMatchObject({ kind: 'unreadable' });
      expect(await faultOf(world.venue.listBalances())).toMatchObject({ kind: 'unreadable' });
    });

    test.each([undefined, null, ''])('about what an order filled does not mean zero (%j)', async (nothing) => {
      const order = world.ask();
      await world.venue.sendOrder(order);
      const ended = { status: id === 'binance' ? 'EXPIRED' : 'canceled', state: 'canceled' };
      world.node.lies.push({ order: { executedQty: nothing, vol_exec: nothing, accFillSz: nothing, ...ended } });
      const found = await world.venue.findOrder('btc', order.clientOrderId).then(
        (told) => told?.filled,
        (fault: VenueFault) => fault.kind,
      );
      expect(found).not.toMatch(/^0(\.0+)?$/);
    });

    test('that lists none of our assets is unreadable', async () => {
      world.node.market.pairs.clear();
      expect(await faultOf(world.venue.listTerms())).toMatchObject({ kind: 'unreadable' });
    });

    test.each([{ error: ['EService:Timeout'] }, { code: -1006, msg: 'Execution status unknown.' }, {}])(
      'refuses no order: %j',
      async (body) => {
        await world.venue.listTerms();
        world.plan('send', { status: 200, body });
        expect((await faultOf(world.venue.sendOrder(world.ask()))).kind).toMatch(/unknown|unreadable/);
      },
    );
  });

  describe('the clock', () => {
    test.each([-120, 120])('may differ from the exchange’s by %i s from the first call on', async (seconds) => {
      world.node.market.now = () => world.clock.now().getTime() + seconds * 1000;
      const order = world.ask();
      await world.venue.sendOrder(order);
      expect(await world.filledOf(order)).toBe(0.3);
    });

    test.each([-120, 120])('is synchronised again when it drifts (%i s): the second try works', async (seconds) => {
      await world.venue.listTerms();
      world.node.market.now = () => world.clock.now().getTime() + seconds * 1000;
      expect(['not_taken', 'unknown']).toContain((await faultOf(world.venue.sendOrder(world.ask()))).kind);
      expect(world.node.account.orders).toEqual([]);
      const second = world.ask();
      await world.venue.sendOrder(second);
      expect(await world.filledOf(second)).toBe(0.3);
    });

    test('may run ahead for a while: once it is right again, a restarted process is answered', async () => {
      await world.venue.listTerms();
      world.clock.advance(2900);
      world.node.market.now = () => world.clock.now().getTime() - 2_900_000;
      await world.venue.listBalances().catch(() => {});
      world.clock.advance(-2900);
      world.node.market.now = () => world.clock.now().getTime();
      await world.restart();
      expect(await world.venue.listBalances()).toBeDefined();
    });

    test('calls at the same instant do not collide', async () => {
      const all = Array.from({ length: 8 }, () => world.ask({ quantity: '0.01' }));
      await Promise.all(all.map((order) => world.venue.sendOrder(order)));
      const found = await Promise.all(all.map((order) => world.venue.findOrder('btc', order.clientOrderId)));
      expect(found.map((order) => Number(order?.filled))).toEqual(all.map(() => 0.01));
    });
  });

  test('no message contains a key, a secret or a signature', async () => {
    await world.venue.listTerms();
    const { apiKey, secret, password = 'no password' } = world.node.keys;
    const echo = {
      code: -1,
      msg: `what ${apiKey} with ${secret} and ${world.node.keys.password}`,
      error: [`EAPI:${apiKey} ${secret}`],
    };
    const words: string[] = [];
    const calls = {
      send: () => world.venue.sendOrder(world.ask()),
      find: () => world.venue.findOrder('btc', world.nextId()),
      fills: () => world.venue.listFills('btc', world.node.id === 'kraken' ? 'OABCDE-00000-001000' : '1000'),
      balances: () => world.venue.listBalances(),
    };
    for (const name of ['send', 'find', 'fills', 'balances'] as const)
      for (const answer of [
        ...Object.values(world.node.answers),
        { status: 400, body: echo },
        { status: 500, body: echo },
      ]) {
        world.plan(name, answer);
        words.push((await faultOf(calls[name]())).message);
        world.clock.advance(1);
      }
    await world.node.goAway();
    words.push((await faultOf(world.venue.listBalances())).message);
    await world.node.comeBack();
    expect(words.filter((text) => text.length > 0 && text.length <= 300)).toHaveLength(words.length);
    for (const word of words) {
      for (const secretText of [apiKey, secret, password]) expect(word).not.toContain(secretText);
      expect(word).not.toMatch(/signature=|api-sign|ok-access-sign["':]/i);
    }
  });
});
