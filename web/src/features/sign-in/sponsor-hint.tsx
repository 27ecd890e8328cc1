import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { referralCodePattern, uplineLookupDebounceMs } from '#contract/rules.ts';
import classes from './form.module.css';
import { sponsorQuery } from './queries.ts';

type SponsorHintProps = {
  code: string;
  /** The code came with the address: the lookup is skipped then (the specification, point 7). */
  isFromAddress: boolean;
};

/** The upline's name beneath the Invitation Id, looked up 500 ms after the last key. */
export function SponsorHint({ code, isFromAddress }: SponsorHintProps) {
  const [settled] = useDebouncedValue(code.trim(), uplineLookupDebounceMs);
  const { data } = useQuery({
    ...sponsorQuery(settled),
    enabled: !isFromAddress && referralCodePattern.test(settled),
  });
  if (isFromAddress) return 'From your invitation link';
  if (data === undefined || settled !== code.trim()) return 'Ask the member who invited you';
  return (
    <span className={classes.found} role="status">
      <IconCircleCheck size={14} stroke={1.5} aria-hidden />
      Invited by {data.name}
    </span>
  );
}
