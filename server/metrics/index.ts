/** What Prometheus reads (docs/metrics.md). */
export { openProcessMetrics, serveMetrics } from './serve-metrics.ts';
