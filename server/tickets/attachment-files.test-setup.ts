import { crc32, deflateSync } from 'node:zlib';

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export function pngChunk(name: string, data: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(data as string)]);
  return Buffer.concat([uint32(bytes.length - 4), bytes, uint32(crc32(bytes))]);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
export const pngHeader = pngChunk('IHDR', Buffer.from('00000001000000010800000000', 'hex'));
export const pngPixels = pngChunk('IDAT', deflateSync(Buffer.from([0, 0x7f])));
export const pngEnd = pngChunk('IEND');

/** One grey pixel, preceded by optional extra chunks. */
export const makePng = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([pngSignature, pngHeader, ...chunks, pngPixels, pngEnd]);

/** A PNG of exactly this size, padded with an ancillary chunk. */
export const makePngOf = (bytes: number): Buffer =>
  makePng(pngChunk('prVt', Buffer.alloc(bytes - makePng().length - 12, 7)));

export function jpegSegment(marker: number, data: Uint8Array | string = ''): Buffer {
  const bytes = Buffer.from(data as string);
  return Buffer.concat([Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 0xff]), bytes]);
}

export const jpegStart = Buffer.from([0xff, 0xd8]);
export const jpegEnd = Buffer.from([0xff, 0xd9]);
export const jpegFrame = jpegSegment(0xc0, Buffer.from('080001000101011100', 'hex'));
/** Scan data with an escaped FF and a restart marker. */
export const jpegScan = Buffer.concat([
  jpegSegment(0xda, Buffer.from('01010000003f00', 'hex')),
  Buffer.from('a1ff00b2ffd0c3', 'hex'),
]);

/** The segments of a JPEG in order, preceded by optional extra ones. */
export const makeJpeg = (...segments: Buffer[]): Buffer =>
  Buffer.concat([jpegStart, jpegSegment(0xe0, 'JFIF\0'), ...segments, jpegFrame, jpegScan, jpegEnd]);

export const makePdf = (body = '1 0 obj\n<< /Type /Catalog >>\nendobj\n'): Buffer =>
  Buffer.from(
    `%PDF-1.7\n%âãÏÓ\n${body}xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R >>\nstartxref\n54\n%%EOF\n`,
    'latin1',
  );

/** An empty archive with a trailing comment: its closing record. */
export function zipEnd(comment = ''): Buffer {
  const record = Buffer.alloc(22);
  record.write('PK\x05\x06', 'latin1');
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([record, Buffer.from(comment, 'latin1')]);
}
