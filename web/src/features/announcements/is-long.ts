const LINES = 3;
const CHARACTERS = 240;

/** Whether a text would push the page too far down, so that only its beginning is shown first. */
export const isLong = (text: string): boolean => text.length > CHARACTERS || text.split('\n').length > LINES;
