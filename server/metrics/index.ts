/** Metrics for Prometheus (docs/operations.md, "Metrics"). */
export { openProcessMetrics, serveMetrics } from './serve-metrics.ts';
