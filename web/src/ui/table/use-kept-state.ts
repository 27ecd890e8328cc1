import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** State of a list, such as its page, that whoever goes back in the history to the page of the list finds again. */
export function useKeptState<T>(name: string, first: T) {
  const client = useQueryClient();
  const { key, pathname } = useLocation();
  const [state, setState] = useState(() => client.getQueryData<T>(['kept', key, pathname, name]) ?? first);
  useEffect(() => {
    client.setQueryData<T>(['kept', key, pathname, name], state as NoInfer<T>);
  }, [client, key, pathname, name, state]);
  return [state, setState] as const;
}
