import classes from './sparkline.module.css';

type SparklineProps = {
  /** Oldest first. */
  values: readonly number[];
  width?: number;
  height?: number;
  className?: string;
};

const INSET = 2;

/**
 * A line without axis or fill, coloured by its own change. Decorative: the figure beside it carries the information.
 */
export function Sparkline({ values, width = 64, height = 22, className }: SparklineProps) {
  const [first, last] = [values[0], values.at(-1)];
  const tone = first === undefined || last === undefined || first === last ? 'flat' : last > first ? 'gain' : 'loss';
  return (
    <svg
      className={className ? `${classes.line} ${className}` : classes.line}
      data-tone={tone}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      {values.length > 1 && <path d={pathOf(values, width, height)} />}
    </svg>
  );
}

function pathOf(values: readonly number[], width: number, height: number): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = height - 2 * INSET;
  const y = (value: number) => (high === low ? height / 2 : INSET + room * (1 - (value - low) / (high - low)));
  const points = values.map(
    (value, index) => `${((index * width) / (values.length - 1)).toFixed(1)} ${y(value).toFixed(1)}`,
  );
  return `M${points.join('L')}`;
}
