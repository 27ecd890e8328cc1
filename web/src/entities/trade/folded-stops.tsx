import { Box, Collapse, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { t } from '../../api/texts.ts';
import { StopFields } from './stop-fields.tsx';
import classes from './stops.module.css';
import {
  entryAt,
  percentOfDraft,
  type StopDraft,
  type StopErrors,
  type StopKind,
  stopKinds,
  stopSentence,
} from './stops.ts';
import { usePair } from './use-pair.ts';

type FoldedStopsProps = {
  /** The asset; without one no trigger price can be shown. */
  symbol: string | null;
  /** The spread; while it is unknown, no entry price can be shown. */
  spreadBps?: number | undefined;
  draft: StopDraft;
  errors: StopErrors;
  onChange: (kind: StopKind, value: string) => void;
};

/** Stops of a trade or plan to be placed: collapsed and unset by default. */
export function FoldedStops({ symbol, spreadBps, draft, errors, onChange }: FoldedStopsProps) {
  const [isOpen, setOpen] = useState(false);
  const partId = useId();
  // Invalid stops must be visible, and stay so while they are corrected.
  if (!isOpen && Object.keys(errors).length > 0) setOpen(true);
  const set = stopKinds.filter((kind) => draft[kind] !== '').length;
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;

  const mark = usePair(symbol)?.rate ?? null;
  const prices = {
    entry: mark === null || spreadBps === undefined ? null : entryAt(mark, spreadBps),
    highest: mark,
    mark,
  };

  return (
    <div className={classes.part}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={isOpen}
        aria-controls={partId}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          {t`Stops`}{' '}
          <Text span inherit c="dimmed" fw={400}>
            {set === 0 ? t`optional, none set` : t`${set} set`}
          </Text>
        </span>
        <Chevron size={16} stroke={1.5} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={isOpen} id={partId} transitionDuration={180}>
        <Box pt={4} px={0} pb={10}>
          <StopFields
            draft={draft}
            errors={errors}
            onChange={onChange}
            sentenceOf={(kind) => stopSentence(kind, percentOfDraft(kind, draft), prices, symbol ?? '')}
          />
        </Box>
      </Collapse>
    </div>
  );
}
