import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../../features/profile/queries.ts';
import { changeMember, useMember } from '../../shared/sign-in-state.ts';
import { isWholeMember } from '../../shared/storage.ts';

/** A stored member with parts missing is shown as far as it goes, until the server has said the rest. */
export function useWholeMember(): void {
  const isWhole = isWholeMember(useMember());
  const { data } = useQuery({ ...meQuery, enabled: !isWhole });
  useEffect(() => {
    if (!isWhole && data) changeMember(data.user);
  }, [isWhole, data]);
}
