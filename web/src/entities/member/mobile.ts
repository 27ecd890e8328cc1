import { mobileMaxLength } from '#contract/rules.ts';
import { listCountries } from './countries.ts';

/**
 * A number as people write it down: `98765 43210`, `098765 43210`, `+91 98765-43210`, `0091 9876543210`. What stands
 * before the ten digits is a trunk 0, or a dial code, which is told when it was written as one. Anything else is cut to
 * ten digits, as typing is.
 */
export function readMobile(text: string): { dialCode?: string; mobile: string } {
  const digits = text.replace(/\D/g, '');
  const mobile = digits.slice(-mobileMaxLength);
  const before = digits.slice(0, -mobileMaxLength).replace(/^0+/, '');
  if (before === '') return { mobile };
  if (!listCountries().some(({ dial_code }) => dial_code === `+${before}`)) {
    return { mobile: digits.slice(0, mobileMaxLength) };
  }
  return { dialCode: `+${before}`, mobile };
}
