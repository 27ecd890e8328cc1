import { expect, test } from 'vitest';
import { demoReserves } from '#server/demo/state-reserves.ts';
import { reserveFault } from './reserve-signature.ts';

const KEY_HASH = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const TAPROOT = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3';
const EMPTY =
  'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';
const HELLO =
  'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';
const TAPROOT_HELLO = 'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==';
const ETHEREUM = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';
const SOME_DATA =
  '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c';

const bitcoin = (address: string, message: string, signature: string) =>
  reserveFault({ network: 'bitcoin', address, message, signature });
const ethereum = (address: string, message: string, signature: string) =>
  reserveFault({ network: 'ethereum', address, message, signature });

test.each([
  ['version 0, nothing said', KEY_HASH, '', EMPTY],
  ['version 0', KEY_HASH, 'Hello World', HELLO],
  ['taproot', TAPROOT, 'Hello World', TAPROOT_HELLO],
])('a standard signature is valid: %s', (_what, address, message, signature) => {
  expect(bitcoin(address, message, signature)).toBeUndefined();
});

test('an Ethereum personal message is valid, with or without a checksum in the address', () => {
  expect(ethereum(ETHEREUM, 'Some data', SOME_DATA)).toBeUndefined();
  expect(ethereum(ETHEREUM.toLowerCase(), 'Some data', SOME_DATA)).toBeUndefined();
});

test('the reserve statements of the demo world verify', () => {
  for (const statement of Object.values(demoReserves)) expect(reserveFault(statement)).toBeUndefined();
});

test.each([
  ['another message', bitcoin(KEY_HASH, 'Hello world', HELLO)],
  ['the signature of another message', bitcoin(KEY_HASH, 'Hello World', EMPTY)],
  ['the signature of another address', bitcoin(TAPROOT, 'Hello World', HELLO)],
  ['a taproot signature for a key hash address', bitcoin(KEY_HASH, 'Hello World', TAPROOT_HELLO)],
  ['a changed byte', bitcoin(TAPROOT, 'Hello World', TAPROOT_HELLO.replace('Hd69', 'Hd68'))],
  ['an extra byte', bitcoin(KEY_HASH, 'Hello World', `${HELLO.slice(0, -1)}AAA=`)],
  ['a truncated signature', bitcoin(KEY_HASH, 'Hello World', HELLO.slice(0, 40))],
  ['an empty signature', bitcoin(KEY_HASH, 'Hello World', 'AA==')],
  ['invalid base64', bitcoin(KEY_HASH, 'Hello World', 'not a signature')],
  ['another Ethereum message', ethereum(ETHEREUM, 'Some other data', SOME_DATA)],
  ['an invalid recovery id', ethereum(ETHEREUM, 'Some data', `${SOME_DATA.slice(0, -2)}1e`)],
  ['all zeros', ethereum(ETHEREUM, 'Some data', `0x${'00'.repeat(65)}`)],
  ['too short', ethereum(ETHEREUM, 'Some data', SOME_DATA.slice(0, -2))],
])('a signature that does not match message and address is refused: %s', (_what, fault) => {
  expect(fault).toBe('signature');
});

test.each([
  ['on another network', bitcoin(demoReserves.published.address, 'Hello World', HELLO)],
  ['of Ethereum', bitcoin(ETHEREUM, 'Hello World', HELLO)],
  ['with a wrong checksum', bitcoin(KEY_HASH.replace('q9vz', 'q9vq'), 'Hello World', HELLO)],
  ['a script address', bitcoin('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3', 'Hello World', HELLO)],
  ['a legacy address from before SegWit', bitcoin('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'Hello World', HELLO)],
  ['in the wrong case', ethereum(ETHEREUM.replace('E3605D', 'e3605D'), 'Some data', SOME_DATA)],
  ['too short', ethereum(ETHEREUM.slice(0, -1), 'Some data', SOME_DATA)],
])('an address that cannot be verified is refused: %s', (_what, fault) => {
  expect(fault).toBe('address');
});
