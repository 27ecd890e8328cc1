import { Box, Flex } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type RefObject, useEffect } from 'react';
import { t } from '../../api/texts.ts';
import { ListState } from '../table/list-state.tsx';
import type { ChartColours } from './chart-colours.ts';
import type { ChartSpec } from './chart-data.ts';
import { useDrawing } from './use-drawing.ts';

const open = async (host: HTMLElement, colours: ChartColours) =>
  (await import('./drawing.ts')).createDrawing(host, colours);

type ChartProps = {
  spec: ChartSpec;
  /** The time labels below it, from its first to its last instant; one that repeats the label before is left out. */
  times: readonly string[];
};

/** A static chart of lines or candles, with values on the right and times below. Used inside a `ChartFrame`. */
export function Chart({ spec, times }: ChartProps) {
  const { host, drawing, hasFailed } = useDrawing(open);
  useEffect(() => drawing?.draw(spec), [drawing, spec]);
  return (
    <Flex direction="column" h="100%">
      <Canvas host={host} hasFailed={hasFailed} />
      <Flex
        justify="space-between"
        align="flex-end"
        h={24}
        mr={spec.axisWidth + (spec.namesWidth ?? 0)}
        fz="var(--tw-fs-11)"
        lh="0.875rem"
        c="var(--tw-axis)"
        aria-hidden
      >
        {times.map((time, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two labels of a short period can be the same day
          <span key={index}>{time !== times[index - 1] && time}</span>
        ))}
      </Flex>
    </Flex>
  );
}

/** The element to draw in, or a message if the drawing code could not be loaded. */
export const Canvas = ({ host, hasFailed }: { host: RefObject<HTMLDivElement | null>; hasFailed: boolean }) =>
  hasFailed ? (
    <ListState error icon={IconAlertTriangle} title={t`The chart could not be loaded`}>
      {t`Choose Show as table to see its figures.`}
    </ListState>
  ) : (
    <Box ref={host} flex={1} mih={0} w="100%" h="100%" />
  );
