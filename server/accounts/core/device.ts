const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * A user agent as shown in the profile and in emails. The header itself is never shown, because a client can send any
 * text. Without the version, a device stays the same after an update.
 * `describeDevice('Mozilla/5.0 (Windows NT 10.0) … Firefox/140.0') === 'Firefox on Windows'`
 */
export function describeDevice(userAgent: string): string {
  const find = (list: typeof BROWSERS, unknown: string) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? unknown;
  return `${find(BROWSERS, 'Unknown browser')} on ${find(SYSTEMS, 'unknown system')}`;
}
