const MOBILE_DIGITS = 10;

/**
 * The dial code in front of the ten digits of a mobile number. `dialCodeOf('+919876543210') === '+91'`
 */
export const dialCodeOf = (mobileNumber: string): string => mobileNumber.slice(0, -MOBILE_DIGITS);

/**
 * Whether numbers of this country cannot register (docs/product.md, section 8). A blocked code is a prefix: no
 * country's code is the prefix of another's, so this only adds territories that share one (+1 includes +1242), and a
 * made-up longer code does not get around it. `isDialCodeBlocked('+12426123456789', ['+1']) === true`
 */
export function isDialCodeBlocked(mobileNumber: string, blockedDialCodes: readonly string[]): boolean {
  const dialCode = dialCodeOf(mobileNumber);
  return blockedDialCodes.some((blocked) => dialCode.startsWith(blocked));
}
