import type { AuditEntry } from '#contract/operator/audit.ts';
import { periodOf } from '../kit/period.ts';

export const actorOptions = [
  { value: 'operator', label: 'Operators' },
  { value: 'member', label: 'Members' },
  { value: 'system', label: 'The system' },
] as const satisfies readonly { value: AuditEntry['actor']['kind']; label: string }[];

export type AuditFilter = {
  actor?: AuditEntry['actor']['kind'];
  action?: string;
  subject?: string;
  text?: string;
  from?: string;
  to?: string;
};

/** The filter that an address names, as the call takes it; what does not fit its form is left out. */
export function filterOf(params: URLSearchParams): AuditFilter {
  const filter: AuditFilter = { ...periodOf(params) };
  const actor = actorOptions.find(({ value }) => value === params.get('actor'))?.value;
  if (actor !== undefined) filter.actor = actor;
  for (const name of ['action', 'subject', 'text'] as const) {
    const value = params.get(name)?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}
