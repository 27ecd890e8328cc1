import { useCallback } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { consolePath } from '../../../ui/paths.ts';

/**
 * What is opened beside a list, by the address: `/operator/withdrawals/17`. A colleague can be sent the link, and Back
 * closes it. The filter in the address stays.
 */
export function useOpened(page: string) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const { '*': rest = '' } = useParams();
  const opened = rest === '' ? undefined : rest;
  const open = useCallback(
    (id: string | undefined) =>
      navigate({ pathname: id === undefined ? consolePath(page) : `${consolePath(page)}/${id}`, search }),
    [navigate, page, search],
  );
  const close = useCallback(() => {
    if (opened !== undefined) void open(undefined);
  }, [opened, open]);
  return { opened, open, close };
}
