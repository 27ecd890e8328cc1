const HIDDEN = '•••';
/** So many digits are shown, and at least as many hidden. */
const SHOWN_DIGITS = 4;

/** A mobile number with all but its last four digits hidden, however long it is. `maskMobile('+919876544127') === '••••••4127'` */
export function maskMobile(mobileNumber: string): string {
  const digits = mobileNumber.replaceAll(/\D/g, '');
  return `••••••${digits.length >= 2 * SHOWN_DIGITS ? digits.slice(-SHOWN_DIGITS) : ''}`;
}

/**
 * An email address with all hidden but the first letter of its name, of its domain, and the ending. Neither length nor a part of
 * one letter shows. `maskEmail('anna@tidewater.example') === 'a•••@t•••.example'`
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
