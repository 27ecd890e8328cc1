import { Box, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './banner.module.css';

type BannerProps = {
  /** neutral for hours and settling, amber (dashed) for mode and operator access, loss for account safety. */
  tone?: 'neutral' | 'amber' | 'loss';
  icon?: Icon;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
};

/** Pushes content down and never covers it. */
export const Banner = ({ tone = 'neutral', icon: BannerIcon, title, children, action }: BannerProps) => (
  <Group
    className={classes.banner}
    data-tone={tone}
    role={tone === 'loss' ? 'alert' : undefined}
    pos="relative"
    align="flex-start"
    gap={12}
    px={16}
    py={12}
    fz="sm"
    lh="1.25rem"
  >
    {BannerIcon && (
      <Box component="span" className={classes.icon} flex="none" lh={0} aria-hidden>
        <BannerIcon size={20} stroke={1.5} />
      </Box>
    )}
    {/* Beside a button the text would be squeezed into a column of one or two words. */}
    <Box flex="1 1 150px" miw={0}>
      {title && <Box fw={600}>{title}</Box>}
      {children && <Box c="var(--tw-text-2)">{children}</Box>}
    </Box>
    {action}
  </Group>
);
