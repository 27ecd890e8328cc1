import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { t } from '../../api/texts.ts';

const choices = [
  { value: 'dark', label: t`Dark`, icon: IconMoon },
  { value: 'light', label: t`Light`, icon: IconSun },
  { value: 'auto', label: t`System`, icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; label: string; icon: unknown }[];

/** Dark, light, or as the system; the choice is kept in this browser. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = choices.find(({ value }) => value === colorScheme)?.icon ?? IconMoon;
  return (
    <Menu position="top-end" width={176} withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`Change theme`}>
          <Current size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ value, label, icon: ChoiceIcon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === colorScheme}
            leftSection={<ChoiceIcon size={16} stroke={1.5} aria-hidden />}
            rightSection={value === colorScheme && <IconCheck size={16} stroke={1.5} aria-hidden />}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
