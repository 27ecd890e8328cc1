import assert from 'node:assert';
import { beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type Fault, makeAuthenticator } from '#test/worlds/authenticator.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { openWorld } from '../accounts-world.test-setup.ts';
import { purgeExpired } from '../index.ts';
import type { Owner } from '../owner.ts';
import {
  beginPasskey,
  beginPasskeyUse,
  finishPasskey,
  getRelyingParty,
  type PasskeyUse,
  verifyPasskeyAnswer,
} from './ceremonies.ts';
import { deletePasskey, findPasskeyOwner, listPasskeys, renamePasskey } from './passkeys.ts';

const world = closeAfterAll(await openWorld());
const { context } = world;
const rp = getRelyingParty(context.config, 'localhost:8080');
const origin = 'http://localhost:8080';
const refused = { code: 'passkey_refused', status: 422 };
const names = { id: 'TWABCDEFGH', name: 'Ada' };

const begin = (owner: Owner) => inTransaction(context.db, (tx) => beginPasskey(context, tx, rp, owner, names));
type Device = ReturnType<typeof makeAuthenticator>;
const add = async (owner: Owner, device: Device, name = 'Laptop') => {
  const answer = device.create(await begin(owner));
  return inTransaction(context.db, (tx) => finishPasskey(context, tx, owner, { name, answer }));
};
const ask = (owner: Owner, purpose: 'second_factor' | 'confirm' = 'confirm') =>
  beginPasskeyUse(context, context.db, rp, { owner, purpose });
const take = (owner: Owner, answer: ReturnType<Device['get']>, purpose: PasskeyUse = 'confirm') =>
  inTransaction(context.db, (tx) => verifyPasskeyAnswer(context, tx, owner, answer, purpose));
const newMember = async (): Promise<Owner> => ({ memberId: (await world.signUp()).memberId });

describe.each(['member', 'operator'] as const)('a passkey of a %s', (kind) => {
  const device = makeAuthenticator(origin);
  let owner: Owner;
  beforeAll(async () => {
    owner = kind === 'member' ? await newMember() : { operatorId: (await makeOperator(context, 'finance')).operatorId };
    await add(owner, device, 'Phone');
  });

  test('is listed with its name and dates, and shows its owner', async () => {
    const [listed] = await listPasskeys(context.db, owner);
    expect(listed).toMatchObject({ name: 'Phone', synced: false, last_used_at: null });
    const options = await ask(owner);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(await findPasskeyOwner(context.db, options.allowCredentials[0]?.id ?? '')).toEqual(owner);
    expect(await findPasskeyOwner(context.db, 'nobody')).toBeUndefined();
  });

  test('answers a challenge once', async () => {
    const answer = device.get(await ask(owner));
    expect(await take(owner, answer)).toMatchObject({ name: 'Phone' });
    expect(await listPasskeys(context.db, owner)).toMatchObject([{ last_used_at: context.now().toISOString() }]);
    await expect(take(owner, answer)).rejects.toMatchObject(refused);
  });

  test('signs in without an id', async () => {
    const options = await beginPasskeyUse(context, context.db, rp, { purpose: 'sign_in' });
    expect(options.allowCredentials).toEqual([]);
    const answer = device.get(options);
    expect(await findPasskeyOwner(context.db, answer.id)).toEqual(owner);
    await take(owner, answer, 'sign_in');
  });

  test.each<[string, Fault]>([
    ['from another page', { origin: 'http://localhost.evil.example' }],
    ['without user verification by finger, face or PIN', { unverified: true }],
    ['whose counter went backwards', { counter: 1 }],
    ['to a forged challenge', { challenge: 'bWFkZS11cA' }],
  ])('refuses a response %s, and the challenge stays', async (_, fault) => {
    const options = await ask(owner);
    await expect(take(owner, device.get(options, fault))).rejects.toMatchObject(refused);
    await take(owner, device.get(options));
  });

  test('refuses a response given for something else', async () => {
    await expect(take(owner, device.get(await ask(owner, 'second_factor')))).rejects.toMatchObject(refused);
    await expect(take(owner, device.get(await ask(owner)), 'sign_in')).rejects.toMatchObject(refused);
  });

  test('refuses a forged signature, and bytes that are no response', async () => {
    const answer = device.get(await ask(owner));
    for (const response of [
      { ...answer.response, signature: device.get(await ask(owner)).response.signature },
      { ...answer.response, authenticatorData: 'AAAA' },
      { ...answer.response, clientDataJSON: 'AAAA' },
      { ...answer.response, userHandle: 'c29tZWJvZHk' },
    ])
      await expect(take(owner, { ...answer, response })).rejects.toMatchObject(refused);
  });

  test('refuses a response after five minutes, and deletes its challenge', async () => {
    const answer = device.get(await ask(owner));
    world.clock.advance(300);
    await expect(take(owner, answer)).rejects.toMatchObject(refused);
    await purgeExpired(context);
    expect(await world.count('identity.passkey_challenge', 'expires_at <= now()')).toBe(0);
  });

  test('belongs to its owner only', async () => {
    const other = await newMember();
    const [listed] = await listPasskeys(context.db, owner);
    assert(listed !== undefined);
    const rename = { id: BigInt(listed.id), name: 'Mine', address: '192.0.2.7' };
    await expect(renamePasskey(context, other, rename)).rejects.toMatchObject({ code: 'not_found', status: 404 });
    expect(await inTransaction(context.db, (tx) => deletePasskey(tx, other, BigInt(listed.id)))).toBeUndefined();
    await expect(take(other, device.force(await ask(other)))).rejects.toMatchObject(refused);
    await expect(take(owner, device.force(await ask(other)))).rejects.toMatchObject(refused);
    await renamePasskey(context, owner, { ...rename, name: 'Old phone' });
    expect(await listPasskeys(context.db, owner)).toMatchObject([{ name: 'Old phone' }]);
  });

  test('is void once it is removed', async () => {
    const [listed] = await listPasskeys(context.db, owner);
    const options = await ask(owner);
    await inTransaction(context.db, (tx) => deletePasskey(tx, owner, BigInt(listed?.id ?? 0)));
    await expect(take(owner, device.get(options))).rejects.toMatchObject(refused);
  });
});

describe('adding a passkey', () => {
  test('accepts a response once, from its requester', async () => {
    const [owner, other] = [await newMember(), await newMember()];
    const answer = makeAuthenticator(origin).create(await begin(owner));
    const finish = (whose: Owner) =>
      inTransaction(context.db, (tx) => finishPasskey(context, tx, whose, { name: 'Laptop', answer }));
    await expect(finish(other)).rejects.toMatchObject(refused);
    await finish(owner);
    await expect(finish(owner)).rejects.toMatchObject(refused);
  });

  test.each<[string, Fault]>([
    ['from another page', { origin: 'https://localhost.evil.example' }],
    ['without user verification', { unverified: true }],
    ['to another challenge', { challenge: 'bWFkZS11cA' }],
  ])('refuses a response %s', async (_, fault) => {
    const owner = await newMember();
    const answer = makeAuthenticator(origin).create(await begin(owner), fault);
    await expect(
      inTransaction(context.db, (tx) => finishPasskey(context, tx, owner, { name: 'Laptop', answer })),
    ).rejects.toMatchObject(refused);
    expect(await listPasskeys(context.db, owner)).toEqual([]);
  });

  test('lists those a device already has, and stops at ten', async () => {
    const owner = await newMember();
    for (let no = 0; no < 9; no += 1) await add(owner, makeAuthenticator(origin), `Key ${no}`);
    const [last, late] = [await begin(owner), await begin(owner)];
    expect(last.excludeCredentials).toHaveLength(9);
    const finish = (answer: ReturnType<Device['create']>) =>
      inTransaction(context.db, (tx) => finishPasskey(context, tx, owner, { name: 'Last', answer }));
    await finish(makeAuthenticator(origin).create(last));
    const tooMany = { code: 'too_many_passkeys', status: 409 };
    await expect(finish(makeAuthenticator(origin).create(late))).rejects.toMatchObject(tooMany);
    await expect(begin(owner)).rejects.toMatchObject(tooMany);
  });

  test('a device without a counter keeps working, each response once', async () => {
    const owner = await newMember();
    const device = makeAuthenticator(origin, { isSynced: true });
    await add(owner, device);
    await take(owner, device.get(await ask(owner)));
    await take(owner, device.get(await ask(owner)));
    expect(await listPasskeys(context.db, owner)).toMatchObject([{ synced: true }]);
  });
});

describe('the relying party', () => {
  test.each([
    ['http://localhost:8080', undefined, 'localhost:8080', 'localhost'],
    ['https://trade.example', 'https://trade.example/app', 'evil.example', 'trade.example'],
    ['https://trade.example', undefined, 'trade.example', 'trade.example'],
  ])('is the domain of %s', (page, publicUrl, host, id) => {
    const found = getRelyingParty({ publicUrl }, host);
    expect(found.id).toBe(id);
    expect(found.origins).toContain(page);
  });

  test.each([
    [undefined, '127.0.0.1:8080'],
    [undefined, '[::1]:8080'],
    [undefined, undefined],
    ['http://10.0.0.7', 'localhost'],
  ])('is none at an IP address: %s, %s', (publicUrl, host) => {
    expect(() => getRelyingParty({ publicUrl }, host)).toThrow(
      expect.objectContaining({ code: 'passkeys_unavailable', status: 409 }),
    );
  });
});
