/** Four bytes, the highest first. `uint32([0, 0, 1, 2], 0) === 258` */
export const uint32 = (bytes: Uint8Array, at: number): number => uint16(bytes, at) * 65_536 + uint16(bytes, at + 2);

/** Two bytes, the highest first. */
export const uint16 = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);

/** One letter a byte. */
export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to);

export const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, at) => bytes[at] === byte);

const MARKUP = /<(?:!doctype|html|head|body|script|iframe|object|embed|svg[\s>]|\?php)/i;

/**
 * Whether a text has what a browser, or a server with a language in its pages, would take for one. The notes of pictures
 * are XML, too (`<x:xmpmeta`), which is none of these.
 */
export const hasMarkup = (text: string): boolean => MARKUP.test(text);
