import { z } from 'zod';
import { line } from '../endpoint.ts';
import { emailPattern, enterValid, isRequired, labels, mobileNumberPattern } from '../rules.ts';

/** What a person says about themselves, under the specification's rules (the specification, point 1). */
export const personName = line(100, isRequired(labels.name));

export const emailAddress = line(254, isRequired(labels.email)).pipe(
  z.string().regex(emailPattern, enterValid(labels.email)),
);

/** Dial code and ten digits joined. */
export const mobileNumber = z
  .string(isRequired(labels.mobile))
  .min(1, { error: isRequired(labels.mobile), abort: true })
  .regex(mobileNumberPattern, enterValid(labels.mobile));
