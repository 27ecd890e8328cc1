import { t } from '../texts.ts';
/** Why the opening waits, as a sentence: `Opening waits: the last session is still settling.` */
export const waitsWords = (waitsFor: string): string => t`Opening waits: ${waitsFor.replace(/\.$/, '')}.`;
