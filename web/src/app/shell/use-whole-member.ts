import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { changeMember, useMember } from '../../api/sign-in-state.ts';
import { isWholeMember } from '../../api/storage.ts';
import { meQuery } from '../../features/profile/queries.ts';

/** A stored member with parts missing is shown as far as it goes, until the server has said the rest. */
export function useWholeMember(): void {
  const isWhole = isWholeMember(useMember());
  const { data } = useQuery({ ...meQuery, enabled: !isWhole });
  useEffect(() => {
    if (!isWhole && data) changeMember(data.user);
  }, [isWhole, data]);
}
