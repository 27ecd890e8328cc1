import type {
  IPanePrimitive,
  IPanePrimitivePaneView,
  IPrimitivePaneRenderer,
  Logical,
  PaneAttachedParameter,
  Time,
} from 'lightweight-charts';
import { sessionWindowUtc } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import type { ChartColours } from '../../ui/charts/chart-colours.ts';
import type { SessionSpan } from './candle-data.ts';

const minuteText = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const NAME = t`Session ${minuteText(sessionWindowUtc.openMinute)} to ${minuteText(sessionWindowUtc.closeMinute)} UTC`;
const SHORT_NAME = t`Session`;
const PADDING = 8;
const BASELINE = 16;

type TimeScale = ReturnType<PaneAttachedParameter<Time>['chart']['timeScale']>;

/** The library only knows the positions of whole bars; a session's edge is between two of them. */
function placeOf(position: number, timeScale: TimeScale): number | null {
  const whole = Math.floor(position);
  const before = timeScale.logicalToCoordinate(whole as Logical);
  const after = timeScale.logicalToCoordinate((whole + 1) as Logical);
  return before === null || after === null ? null : before + (position - whole) * (after - before);
}

/** Session hours as a flat, labelled tint behind the bars. */
export class SessionTint implements IPanePrimitive<Time> {
  private spans: readonly SessionSpan[] = [];
  private colours: ChartColours;
  private chart: PaneAttachedParameter<Time> | undefined;

  constructor(colours: ChartColours) {
    this.colours = colours;
  }

  setSpans(spans: readonly SessionSpan[]) {
    this.spans = spans;
    this.chart?.requestUpdate();
  }

  setColours(colours: ChartColours) {
    this.colours = colours;
    this.chart?.requestUpdate();
  }

  attached(chart: PaneAttachedParameter<Time>) {
    this.chart = chart;
  }

  detached() {
    this.chart = undefined;
  }

  paneViews(): readonly IPanePrimitivePaneView[] {
    return [{ zOrder: () => 'bottom', renderer: () => ({ draw: (target) => this.draw(target) }) }];
  }

  private draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]) {
    const timeScale = this.chart?.chart.timeScale();
    if (!timeScale) return;
    // biome-ignore lint/correctness/useHookAtTopLevel: the library's word for choosing units, no React hook
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.font = `11px ${this.colours.font}`;
      for (const { from, to } of this.spans) {
        const left = placeOf(from, timeScale);
        const right = placeOf(to, timeScale);
        if (left === null || right === null || right < 0 || left > mediaSize.width) continue;
        context.fillStyle = this.colours.session;
        context.fillRect(left, 0, right - left, mediaSize.height);
        const name = [NAME, SHORT_NAME].find((text) => context.measureText(text).width + 2 * PADDING <= right - left);
        if (name === undefined) continue;
        context.fillStyle = this.colours.axis;
        context.fillText(name, Math.max(left, 0) + PADDING, BASELINE);
      }
    });
  }
}
