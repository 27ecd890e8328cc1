const HIDDEN = '•••';
/** Digits shown; at least as many stay hidden. */
const SHOWN_DIGITS = 4;

/** Masks all but the last four digits, and hides the length. `maskMobile('+919876544127') === '••••••4127'` */
export function maskMobile(mobileNumber: string): string {
  const digits = mobileNumber.replaceAll(/\D/g, '');
  return `••••••${digits.length >= 2 * SHOWN_DIGITS ? digits.slice(-SHOWN_DIGITS) : ''}`;
}

/**
 * Masks an email address except for the first letter of its name and domain, and the top-level domain. Hides lengths,
 * and parts of a single letter. `maskEmail('anna@tidewater.example') === 'a•••@t•••.example'`
 */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return HIDDEN;
  const domain = address.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot < 0 ? '' : domain.slice(dot);
  return `${hide(address.slice(0, at))}@${hide(dot < 0 ? domain : domain.slice(0, dot))}${ending}`;
}

function hide(part: string): string {
  const letters = Array.from(part);
  return letters.length > 1 ? `${letters[0]}${HIDDEN}` : HIDDEN;
}
