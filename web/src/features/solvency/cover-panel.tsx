import { Text } from '@mantine/core';
import { Panel } from '../../ui/frame/panel.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money, Percent } from '../../ui/text/money.tsx';
import { type BarPart, coverBars, coverWords, type Solvency } from './cover.ts';
import classes from './cover-panel.module.css';
import { accountWords } from './labels.ts';
import { SimulatedLabel } from './simulated-label.tsx';

const barWords: Readonly<Record<string, string>> = { aside: 'Set aside for members', surplus: 'Surplus' };
const nameOf = (part: BarPart) => barWords[part.name] ?? accountWords[part.name]?.name ?? part.name;

/** How far assets cover what is owed: in one sentence, three figures and two bars of one scale. */
export function CoverPanel({ solvency }: { solvency: Solvency }) {
  const { assets, liabilities, surplus, simulated } = solvency;
  const { held, owed } = coverBars(solvency);
  return (
    <Panel className={classes.panel ?? ''}>
      <div className={classes.top}>
        <h2>{coverWords(solvency)}</h2>
        <SimulatedLabel simulated={simulated} />
      </div>
      <div className={classes.figures}>
        <Figure label="Assets">
          <Money value={assets.booked} />
        </Figure>
        <Figure label="Owed">
          <Money value={liabilities} />
        </Figure>
        <Figure label="Surplus">
          <Money value={surplus} />
        </Figure>
      </div>
      <Bar label="What we hold" parts={held} />
      <Bar label="What we owe" parts={owed} />
      <Text mt={20} c="dimmed" fz="xs" lh="16px">
        Owed is everything members have, payments that are not credited yet, fees that are not shared yet, and the pools
        of team income. Results of open trades are on neither side until they settle.
      </Text>
    </Panel>
  );
}

function Bar({ label, parts }: { label: string; parts: readonly BarPart[] }) {
  return (
    <div className={classes.line}>
      <Text span inherit c="var(--tw-text-2)" fz="sm" lh="28px">
        {label}
      </Text>
      <div>
        <div className={classes.bar} aria-hidden="true">
          {parts.map((part) => (
            <i key={part.name} data-part={part.name} style={{ width: `${part.percent}%` }} />
          ))}
        </div>
        <ul className={classes.legend} aria-label={label}>
          {parts.length === 0 && <li>Nothing yet</li>}
          {parts.map((part) => (
            <li key={part.name}>
              <i data-part={part.name} />
              {nameOf(part)} <Percent value={part.percent} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
