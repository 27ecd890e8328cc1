import type {
  IPanePrimitivePaneView,
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import type { ChartColours } from '../../ui/charts/chart-colours.ts';

const LEFT = 12;
const PADDING = 8;
const HEIGHT = 18;
const BASELINE = 13;
const RADIUS = 4;

/** The words at the left end of the entry line, where no bar is newest: the library's own title would cover those. */
export class EntryTag implements ISeriesPrimitive<Time> {
  private price: number | null = null;
  private words = '';
  private colours: ChartColours;
  private attachment: SeriesAttachedParameter<Time> | undefined;

  constructor(colours: ChartColours) {
    this.colours = colours;
  }

  set(price: number | null, words: string) {
    this.price = price;
    this.words = words;
    this.attachment?.requestUpdate();
  }

  setColours(colours: ChartColours) {
    this.colours = colours;
    this.attachment?.requestUpdate();
  }

  attached(attachment: SeriesAttachedParameter<Time>) {
    this.attachment = attachment;
  }

  detached() {
    this.attachment = undefined;
  }

  paneViews(): readonly IPanePrimitivePaneView[] {
    return [{ zOrder: () => 'top', renderer: () => ({ draw: (target) => this.draw(target) }) }];
  }

  private draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]) {
    const middle = this.price === null ? null : (this.attachment?.series.priceToCoordinate(this.price) ?? null);
    if (middle === null) return;
    // biome-ignore lint/correctness/useHookAtTopLevel: the library's word for choosing units, no React hook
    target.useMediaCoordinateSpace(({ context }) => {
      context.font = `500 11px ${this.colours.font}`;
      const top = middle - HEIGHT / 2;
      context.beginPath();
      context.roundRect(LEFT, top, context.measureText(this.words).width + 2 * PADDING, HEIGHT, RADIUS);
      context.fillStyle = this.colours.surface2;
      context.fill();
      context.strokeStyle = this.colours.lineStrong;
      context.stroke();
      context.fillStyle = this.colours.accent;
      context.fillText(this.words, LEFT + PADDING, top + BASELINE);
    });
  }
}
