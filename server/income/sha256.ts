import { createHash } from 'node:crypto';

/** Hexadecimal, as stored with runs. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
