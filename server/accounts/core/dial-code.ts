const MOBILE_DIGITS = 10;

/**
 * The dial code in front of the ten digits of a mobile number. `dialCodeOf('+919876543210') === '+91'`
 */
export const dialCodeOf = (mobileNumber: string): string => mobileNumber.slice(0, -MOBILE_DIGITS);

/**
 * Whether a number's country cannot register (docs/product.md, section 10). A blocked code blocks everything that
 * begins with it: no country's code is the beginning of another's, so this only adds the territories that share one (+1
 * is also +1242), and a made-up longer code does not lead around it.
 * `isDialCodeBlocked('+12426123456789', ['+1']) === true`
 */
export function isDialCodeBlocked(mobileNumber: string, blockedDialCodes: readonly string[]): boolean {
  const dialCode = dialCodeOf(mobileNumber);
  return blockedDialCodes.some((blocked) => dialCode.startsWith(blocked));
}
