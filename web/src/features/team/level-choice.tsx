import { useId } from 'react';
import type { TeamOverview } from '#contract/team.ts';
import { t } from '../../api/texts.ts';
import classes from './level-choice.module.css';
import { countOf } from './team-labels.ts';

type LevelChoiceProps = {
  /** undefined while the counts are not known. */
  levels: TeamOverview['levels'] | undefined;
  value: number;
  onChange: (level: number) => void;
};

const LEVELS = Array.from({ length: 10 }, (_, index) => index + 1);

/** The ten levels with how many members each has. */
export function LevelChoice({ levels, value, onChange }: LevelChoiceProps) {
  const name = useId();
  return (
    <fieldset className={classes.levels}>
      <legend className={classes.legend}>{t`Level: 1 is your direct referrals, 2 is theirs, and so on`}</legend>
      <div className={classes.grid}>
        {LEVELS.map((level) => (
          <label key={level} className={classes.card}>
            <input
              type="radio"
              className={classes.radio}
              name={name}
              value={level}
              checked={level === value}
              onChange={() => onChange(level)}
            />
            <b>{level}</b>
            <small>{countOf(levels?.find((one) => one.level === level)?.members)}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
