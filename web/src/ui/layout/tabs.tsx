import { Tabs as MantineTabs } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './tabs.module.css';

type Tab<T extends string> = { value: T; label: ReactNode; count?: number | undefined };

type TabsProps<T extends string> = {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
  /** The panel of the chosen tab, which fills the remaining height and scrolls. */
  children: ReactNode;
};

/** Tabs above one panel; the chosen one is underlined in the accent colour. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children }: TabsProps<T>) {
  return (
    <MantineTabs
      value={value}
      onChange={(next) => next !== null && onChange(next as T)}
      classNames={{
        root: classes.fill,
        list: classes.list,
        tab: classes.tab,
        tabLabel: classes.label,
        panel: classes.fill,
      }}
      keepMounted={false}
    >
      <MantineTabs.List aria-label={label}>
        {tabs.map((tab) => (
          <MantineTabs.Tab key={tab.value} value={tab.value}>
            {tab.label}
            {tab.count !== undefined && <span className={classes.count}>{tab.count}</span>}
          </MantineTabs.Tab>
        ))}
      </MantineTabs.List>
      <MantineTabs.Panel value={value}>{children}</MantineTabs.Panel>
    </MantineTabs>
  );
}
