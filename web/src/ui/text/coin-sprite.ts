/** Where the icons of all coins are, each by its fragment; the built app has another address (web/build/coin-icons.ts). */
export const coinSprite = '/icons/coins.svg';
