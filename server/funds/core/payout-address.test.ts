import { sha256 } from '@noble/hashes/sha2.js';
import { base58check, bech32, bech32m } from '@scure/base';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PayoutNetwork, payoutNetworks } from '#contract/funds/withdrawals.ts';
import { readPayoutAddress } from './payout-address.ts';

/** The networks that take an address. */
const networksOf = (text: string, bitcoin: 'mainnet' | 'testnet' = 'mainnet'): PayoutNetwork[] =>
  payoutNetworks.filter((network) => readPayoutAddress(network, text, bitcoin) !== undefined);

/** EIP-55, "Test Cases". */
const eip55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];
/** Contracts and accounts that anybody can look up on the chain. */
const tron = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL'];
const GENESIS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const base58 = [GENESIS, '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'];
const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
/** BIP-350, "Test vectors": what anybody can be paid at. */
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';

describe('addresses that were published', () => {
  test.each(eip55)('EIP-55: %s is of BEP20 and ERC20 as it is written', (address) => {
    expect(networksOf(address)).toEqual(['BEP20', 'ERC20']);
    expect(readPayoutAddress('ERC20', address, 'mainnet')).toBe(address);
  });

  test.each(tron)('TRON: %s', (address) => {
    expect(networksOf(address)).toEqual(['TRC20']);
    expect(readPayoutAddress('TRC20', address, 'mainnet')).toBe(address);
  });

  test.each([...base58, SEGWIT, TAPROOT])('Bitcoin: %s', (address) => {
    expect(networksOf(address)).toEqual(['BTC']);
    expect(readPayoutAddress('BTC', address, 'mainnet')).toBe(address);
    expect(networksOf(address, 'testnet')).toEqual([]);
  });

  test('BIP-173: capitals, as QR codes carry them, are stored as small letters', () => {
    expect(readPayoutAddress('BTC', SEGWIT.toUpperCase(), 'mainnet')).toBe(SEGWIT);
    expect(readPayoutAddress('BTC', `${SEGWIT.slice(0, -1)}T`, 'mainnet')).toBeUndefined();
  });

  test.each([
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
  ])('test coins: %s is of the test network alone', (address) => {
    expect(networksOf(address, 'testnet')).toEqual(['BTC']);
    expect(networksOf(address)).toEqual([]);
  });
});

describe('what is refused', () => {
  test.each([
    // BIP-173, "Test vectors", invalid addresses.
    'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2',
    'bc1rw5uspcuh',
    'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv',
    'bc1gmk9yu',
    // BIP-350, "Test vectors", invalid addresses.
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
  ])('an invalid witness address: %s', (address) => {
    expect(networksOf(address)).toEqual([]);
    expect(networksOf(address, 'testnet')).toEqual([]);
  });

  test.each([
    ['version 1 of 40 bytes', 'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y'],
    ['version 16', 'BC1SW50QGDZ25J'],
    ['version 2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ])('a witness program that anybody could spend: %s', (_, address) => {
    expect(networksOf(address)).toEqual([]);
  });

  test.each([
    ['no capital letters, so no checksum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['capitals throughout', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
    ['without 0x', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['0X', '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a digit short', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['nobody, on Ethereum', '0x0000000000000000000000000000000000000000'],
    ['nobody, on TRON', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['nobody, on Bitcoin', '1111111111111111111114oLvT2'],
    ['a name', 'vitalik.eth'],
    ['nothing', ''],
    ['far too long', 'T'.repeat(100_000)],
    ['a Litecoin address', 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ'],
    ['a link', `bitcoin:${SEGWIT}`],
  ])('%s', (_, address) => {
    expect(networksOf(address)).toEqual([]);
  });

  const samples = [...eip55, ...tron, ...base58, SEGWIT, TAPROOT];

  test.each(samples)('blanks and whatever else stands around or in %s', (address) => {
    const noise = fc.constantFrom(' ', '\t', '\n', '\u200b', '\u00a0', '\u202e', 'о', '0', 'x');
    const place = fc.nat(address.length);
    fc.assert(
      fc.property(noise, place, (letter, at) => {
        const longer = address.slice(0, at) + letter + address.slice(at);
        return networksOf(longer).length === 0;
      }),
    );
  });

  const letters = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0lIO'];
  const slipsOf = (address: string): string[] => {
    const written = (at: number, text: string, length: number) =>
      address.slice(0, at) + text + address.slice(at + length);
    return [...address].flatMap((was, at) => {
      const next = address[at + 1] ?? was;
      const swapped = next === was ? [] : [written(at, next + was, 2)];
      return [...letters.filter((letter) => letter !== was).map((letter) => written(at, letter, 1)), ...swapped];
    });
  };
  const takenOf = (address: string) => slipsOf(address).filter((text) => networksOf(text).length > 0);
  // Addresses that happen to have letters of only one case, hence few letters and, at one bit each, a weak checksum.
  const fewLetters = eip55.slice(0, 4);

  test.each(samples.filter((address) => !fewLetters.includes(address)))(
    'every change of a single character of %s, and every two neighbours swapped',
    (address) => {
      expect(slipsOf(address).length).toBeGreaterThan(1900);
      expect(takenOf(address)).toEqual([]);
    },
  );

  test.each(fewLetters)('nearly every slip in %s, whose checksum is as weak as EIP-55 gets', (address) => {
    expect(takenOf(address).length / slipsOf(address).length).toBeLessThan(0.01);
  });
});

describe('whatever key or script somebody has', () => {
  const hash = fc.uint8Array({ minLength: 20, maxLength: 20 }).filter((bytes) => bytes.some((byte) => byte > 0));
  const longHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((bytes) => bytes.some((byte) => byte > 0));
  const checked = base58check(sha256);
  const in58 = (version: number, bytes: Uint8Array) => checked.encode(Uint8Array.from([version, ...bytes]));

  test('its address is taken by its own network and no other', () => {
    fc.assert(
      fc.property(hash, longHash, (short, long) => {
        expect(networksOf(in58(0x41, short))).toEqual(['TRC20']);
        expect(networksOf(in58(0x00, short))).toEqual(['BTC']);
        expect(networksOf(in58(0x05, short))).toEqual(['BTC']);
        expect(networksOf(bech32.encode('bc', [0, ...bech32.toWords(short)]))).toEqual(['BTC']);
        expect(networksOf(bech32.encode('bc', [0, ...bech32.toWords(long)]))).toEqual(['BTC']);
        expect(networksOf(bech32m.encode('bc', [1, ...bech32m.toWords(long)]))).toEqual(['BTC']);
      }),
    );
  });

  test('under the checksum of the other witness version, another prefix or another length it is refused', () => {
    fc.assert(
      fc.property(hash, longHash, fc.integer({ min: 1, max: 255 }), (short, long, version) => {
        expect(networksOf(bech32m.encode('bc', [0, ...bech32.toWords(short)]))).toEqual([]);
        expect(networksOf(bech32.encode('bc', [1, ...bech32.toWords(long)]))).toEqual([]);
        expect(networksOf(bech32.encode('ltc', [0, ...bech32.toWords(short)]))).toEqual([]);
        expect(networksOf(bech32.encode('bc', [0, ...bech32.toWords(short.subarray(1))]))).toEqual([]);
        expect(networksOf(in58(0x00, short.subarray(1)))).toEqual([]);
        if (version !== 0x05 && version !== 0x41) expect(networksOf(in58(version, short))).toEqual([]);
      }),
    );
  });
});
