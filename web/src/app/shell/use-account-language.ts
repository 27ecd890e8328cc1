import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { appInfo } from '../../api/app-info.ts';
import { changeLanguage } from '../../api/texts.ts';
import { mailPreferencesQuery } from '../../features/notifications/queries.ts';

/** A browser that a member signs in to takes over the language of the account. */
export function useAccountLanguage(): void {
  const isChoice = appInfo.languages.length > 1;
  const { data } = useQuery({ ...mailPreferencesQuery, enabled: isChoice });
  const chosen = isChoice ? data?.language : undefined;
  useEffect(() => {
    if (chosen !== undefined) changeLanguage(chosen);
  }, [chosen]);
}
