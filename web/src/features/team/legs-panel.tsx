import { Text } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import type { TeamOverview } from '#contract/team.ts';
import { plural, t } from '../../api/texts.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import classes from './legs-panel.module.css';

type LegsPanelProps = { overview: TeamOverview };

/** The largest legs: the share of each direct referral in the volume of the team. */
export function LegsPanel({ overview: { as_of, legs, legs_total, leg_cap, volume } }: LegsPanelProps) {
  const more = legs_total - legs.length;
  return (
    <Panel title={t`Legs`} control={<Text span inherit c="var(--tw-text-2)" fz="xs">{t`Share of volume`}</Text>}>
      {legs.length === 0 ? (
        <ListState
          icon={<IconSitemap size={20} stroke={1.5} />}
          title={t`No legs yet`}
        >{t`Each direct referral starts a leg: the trades of the referral and of everybody below.`}</ListState>
      ) : (
        <>
          <ul className={classes.legs}>
            {legs.map((leg) => {
              const share = as_of === null ? null : volume === 0 ? 0 : (leg.volume / volume) * 100;
              return (
                <li key={leg.id}>
                  <div className={classes.words}>
                    <span title={leg.referral_code}>{leg.name}</span>
                    <Text span inherit c="dimmed">
                      <Money value={as_of === null ? null : leg.volume} decimals={2} />
                    </Text>
                    <b>
                      <Percent value={share} />
                    </b>
                  </div>
                  <div className={classes.bar} aria-hidden="true">
                    <i style={{ width: `${share ?? 0}%` }} />
                    <span style={{ left: `${leg_cap}%` }} />
                  </div>
                </li>
              );
            })}
          </ul>
          <Text mt={10} c="dimmed" fz="xs" lh="16px">
            {more > 0 && `${plural(more, { one: '# smaller leg not shown.', other: '# smaller legs not shown.' })} `}
            {t`The mark at ${leg_cap}% is the most that one leg counts for of the monthly volume of a rank.`}
          </Text>
        </>
      )}
    </Panel>
  );
}
