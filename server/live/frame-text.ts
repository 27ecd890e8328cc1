const TEXT = 0x81;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/** A text message as an unmasked WebSocket frame (RFC 6455, section 5.2), made once for all sockets. */
export function frameText(text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([headOf(body.length), body]);
}

function headOf(length: number): Buffer {
  if (length < LENGTH_IN_TWO_BYTES) return Buffer.from([TEXT, length]);
  const head = Buffer.alloc(length < 2 ** 16 ? 4 : 10);
  head[0] = TEXT;
  head[1] = head.length === 4 ? LENGTH_IN_TWO_BYTES : LENGTH_IN_EIGHT_BYTES;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}
