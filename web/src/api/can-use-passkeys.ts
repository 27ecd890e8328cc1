/** Whether this browser has passkeys and this address may: one in numbers never does. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window && !isNumeric(window.location.hostname);

/** `127.0.0.1`, `[::1]` */
export const isNumeric = (hostname: string): boolean => /^[\d.]+$|^\[/.test(hostname);
