const tokens = {
  surface: '--tw-surface',
  surface2: '--tw-surface-2',
  surface3: '--tw-surface-3',
  lineStrong: '--tw-line-strong',
  text: '--tw-text',
  text2: '--tw-text-2',
  text3: '--tw-text-3',
  series2: '--tw-s2',
  area: '--tw-area',
  axis: '--tw-axis',
  grid: '--tw-grid',
  gain: '--tw-gain',
  loss: '--tw-loss',
  volume: '--tw-volume',
  session: '--tw-session',
  accent: '--tw-accent',
  accentFill: '--tw-accent-fill',
  onAccent: '--tw-on-accent',
  font: '--tw-font',
} as const;

export type ChartColours = Record<keyof typeof tokens, string>;

/** The computed values of the colour tokens: a canvas cannot read CSS variables. */
export function readChartColours(element: Element): ChartColours {
  const style = getComputedStyle(element);
  const entries = Object.entries(tokens).map(([name, token]) => [name, style.getPropertyValue(token).trim()]);
  return Object.fromEntries(entries) as ChartColours;
}
