import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../api/texts.ts';
import { iconOf } from './theme-choices.ts';

/** The menu includes the positioning code, so it is loaded on first use. */
const ThemeMenu = lazy(async () => ({ default: (await import('./theme-menu.tsx')).ThemeMenu }));

/** Dark, light, or as the system; the choice is stored in this browser. */
export function ThemeSwitch() {
  const { colorScheme } = useMantineColorScheme();
  const [isWanted, setWanted] = useState(false);
  const Current = iconOf(colorScheme);
  const button = (
    <ActionIcon aria-label={t`Change theme`} aria-haspopup="menu" onClick={() => setWanted(true)}>
      <Current size={20} stroke={1.5} aria-hidden />
    </ActionIcon>
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <ThemeMenu />
    </Suspense>
  ) : (
    button
  );
}
