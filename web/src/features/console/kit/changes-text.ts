/**
 * The changes of an action in one line: fields of the new state, each with its old value if it differs.
 * `changesText({ frozen: false }, { frozen: true, why: 'fraud' }) === 'frozen: false → true, why: "fraud"'`
 */
export function changesText(before: unknown, after: unknown): string {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names
    .map((name) => {
      const [was, is] = [JSON.stringify(old[name]), JSON.stringify(now[name])];
      if (was === undefined || was === is) return `${name}: ${is}`;
      return is === undefined ? `${name}: ${was}` : `${name}: ${was} → ${is}`;
    })
    .join(', ');
}

const fieldsOf = (value: unknown): Record<string, unknown> => {
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : { value };
};
