/** A server on all interfaces is reached via loopback: `originOf('0.0.0.0', 8080)` is `http://localhost:8080`. */
export function originOf(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return `http://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
