import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../api/texts.ts';
import { iconOf, themeChoices } from './theme-choices.ts';

/** Replaces the button that requested it: it opens as soon as it has loaded, anchored to itself. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = iconOf(colorScheme);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button was removed with the focus on it; from here the focus moves into the menu and returns.
    button.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu position="top-end" width={176} withinPortal opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ActionIcon ref={button} aria-label={t`Change theme`}>
          <Current size={20} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {themeChoices.map(({ value, label, icon: ChoiceIcon }) => (
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
