/**
 * The sprite with the icons of all coins, each by its fragment; the built app replaces the address
 * (web/build/coin-icons.ts).
 */
export const coinSprite = '/icons/coins.svg';
