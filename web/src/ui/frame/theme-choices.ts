import type { MantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { t } from '../../api/texts.ts';

export const themeChoices = [
  { value: 'dark', label: t`Dark`, icon: IconMoon },
  { value: 'light', label: t`Light`, icon: IconSun },
  { value: 'auto', label: t`System`, icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; label: string; icon: unknown }[];

export const iconOf = (scheme: MantineColorScheme) =>
  themeChoices.find(({ value }) => value === scheme)?.icon ?? IconMoon;
