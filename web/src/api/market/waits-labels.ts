/** Why the opening waits, as a sentence: `Opening waits: the last session settles.` */
export const waitsWords = (waitsFor: string): string => `Opening waits: ${waitsFor.replace(/\.$/, '')}.`;
