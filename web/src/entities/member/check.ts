import { emailPattern, enterValid, isRequired, labels, mobilePattern } from '#contract/rules.ts';
import { translate } from '../../api/texts.ts';

/** The error of a value, or null. */
export type Check = (value: string) => string | null;

/** Whitespace counts as empty. */
export const required =
  (label: string): Check =>
  (value) =>
    value.trim() === '' ? translate(isRequired(label)) : null;

/** The first error that one of the checks finds. */
export const first =
  (...checks: Check[]): Check =>
  (value) =>
    checks.reduce<string | null>((problem, check) => problem ?? check(value), null);

const matches =
  (pattern: RegExp, label: string): Check =>
  (value) =>
    pattern.test(value.trim()) ? null : translate(enterValid(label));

/**
 * A person's own details, by the rules and with the messages of the specification, point 5. The server applies the same
 * rules and has the last word.
 */
export const personRules = {
  dialCode: required(labels.dialCode),
  mobile: first(required(labels.mobile), matches(mobilePattern, labels.mobile)),
  name: required(labels.name),
  email: first(required(labels.email), matches(emailPattern, labels.email)),
} satisfies Record<string, Check>;

/** All errors of a form by field; empty when it can be sent. */
export function problemsOf(
  rules: Readonly<Record<string, Check>>,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [field, check] of Object.entries(rules)) {
    const problem = check(values[field] ?? '');
    if (problem !== null) problems[field] = problem;
  }
  return problems;
}
