/**
 * The network that limits count: an IPv6 host can choose any address of its /64.
 * `networkOf('2001:db8::7') === '2001:db8:0:0'`, `networkOf('::ffff:192.0.2.7') === '192.0.2.7'`
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  if (tail?.includes('.')) return tail.slice(tail.lastIndexOf(':') + 1);
  const groups = (text = '') => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill('0'), ...groups(tail)];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
