import { Button, Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './head-button.module.css';

type FilterMenuProps<T extends string> = {
  /** What it filters by: "State". */
  label: string;
  /** The label for no filter: "All states". */
  allLabel: string;
  /** Replaces the filter icon, where the menu chooses an order. */
  icon?: ReactNode;
  options: readonly { value: T; label: string }[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
};

const ALL = '';

/** A small button that names the current filter; the accent outline signals that rows are hidden. */
export function FilterMenu<T extends string>({
  label,
  allLabel,
  icon = <IconFilter size={14} stroke={1.5} aria-hidden />,
  options,
  value,
  onChange,
}: FilterMenuProps<T>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu position="bottom-end" width="max-content" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          className={classes.small}
          size="sm"
          variant="default"
          data-on={chosen !== undefined || undefined}
          aria-label={`${label}: ${chosen?.label ?? allLabel}`}
          leftSection={icon}
        >
          {chosen?.label ?? allLabel}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={value ?? ALL}
          onChange={(next) => onChange(options.find((option) => option.value === next)?.value)}
        >
          <Menu.RadioItem value={ALL} closeMenuOnClick>
            {allLabel}
          </Menu.RadioItem>
          {options.map((option) => (
            <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
              {option.label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
