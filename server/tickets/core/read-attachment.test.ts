import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AttachmentType } from '#contract/tickets/ticket-rules.ts';
import {
  jpegEnd,
  jpegFrame,
  jpegScan,
  jpegSegment,
  jpegStart,
  makeJpeg,
  makePdf,
  makePng,
  makePngOf,
  pngChunk,
  pngEnd,
  pngHeader,
  pngPixels,
  pngSignature,
  zipEnd,
} from '../attachment-files.test-setup.ts';
import { plainName, readAttachment } from './read-attachment.ts';

const join = (...parts: Uint8Array[]) => Buffer.concat(parts);
const read = (type: AttachmentType, bytes: Uint8Array, name = 'a') =>
  readAttachment({ name, type, content: Buffer.from(bytes).toString('base64') });

const png = 'image/png';
const jpeg = 'image/jpeg';
const pdf = 'application/pdf';
const page = '<html><script>alert(1)</script></html>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';

describe('a complete file is attached, byte for byte', () => {
  test.each<[string, AttachmentType, Buffer]>([
    ['a PNG', png, makePng()],
    ['a PNG with metadata', png, makePng(pngChunk('tEXt', 'Software\0Screenshot'), pngChunk('iTXt', '<x:xmpmeta>'))],
    ['a PNG of exactly 5 MB', png, makePngOf(5 * 1024 * 1024)],
    ['a JPEG', jpeg, makeJpeg()],
    ['a JPEG with metadata', jpeg, makeJpeg(jpegSegment(0xe1, 'Exif\0\0<x:xmpmeta>'), jpegSegment(0xfe, 'by phone'))],
    [
      'a JPEG of several scans, with fill bytes',
      jpeg,
      join(jpegStart, jpegFrame, jpegScan, jpegSegment(0xc4, 'x'), Buffer.from([0xff, 0xff]), jpegScan, jpegEnd),
    ],
    ['a PDF', pdf, makePdf()],
    ['a PDF that was changed and saved again', pdf, join(makePdf(), Buffer.from('2 0 obj\nstartxref\n9\n%%EOF\r\n'))],
  ])('%s', (_name, type, bytes) => {
    const found = read(type, bytes);
    expect(found?.type).toBe(type);
    expect(Buffer.compare(Buffer.from(found?.content ?? []), bytes)).toBe(0);
  });
});

test.each([
  ['another image, as phones append for HDR', makeJpeg()],
  ['a film', Buffer.from('\0\0\0 ftypisom')],
  ['a page', Buffer.from(page)],
  ['an archive', zipEnd()],
])('bytes after a JPEG are dropped: %s', (_name, behind) => {
  const found = read(jpeg, join(makeJpeg(), behind));
  expect(Buffer.compare(Buffer.from(found?.content ?? []), makeJpeg())).toBe(0);
});

describe('an incomplete file, or one that is also something else, is refused', () => {
  test.each<[string, AttachmentType, Uint8Array]>([
    ['a JPEG declared as a PNG', png, makeJpeg()],
    ['a PNG declared as a JPEG', jpeg, makePng()],
    ['a PNG declared as a PDF', pdf, makePng()],
    ['a page', png, Buffer.from(page)],
    ['an SVG', png, Buffer.from(svg)],
    ['an SVG declared as a PDF', pdf, Buffer.from(svg)],
    ['an archive', pdf, zipEnd()],
    ['a PNG of 5 MB and one byte', png, makePngOf(5 * 1024 * 1024 + 1)],
    ['a signature alone', png, pngSignature],
    ['markup in place of the signature of a PNG', png, join(Buffer.from('<script>'), makePng().subarray(8))],
    ['a program in place of the start of a JPEG', jpeg, join(Buffer.from('MZ'), makeJpeg().subarray(2))],
    ['a page after a signature', png, join(pngSignature, Buffer.from(page))],
    ['a PNG without pixels', png, join(pngSignature, pngHeader, pngEnd)],
    ['a PNG without an end', png, join(pngSignature, pngHeader, pngPixels)],
    ['a PNG without a header', png, join(pngSignature, pngPixels, pngEnd)],
    ['a PNG with two headers', png, makePng(pngHeader)],
    ['a PNG without width', png, join(pngSignature, pngChunk('IHDR', Buffer.alloc(13)), pngPixels, pngEnd)],
    ['a PNG with a chunk that has no name', png, makePng(pngChunk('\0\0\0\0'))],
    ['a page in the metadata of a PNG', png, makePng(pngChunk('tEXt', `Comment\0${page}`))],
    ['an SVG in the metadata of a PNG', png, makePng(pngChunk('iTXt', svg))],
    ['a page after a PNG', png, join(makePng(), Buffer.from(page))],
    ['one byte after a PNG', png, join(makePng(), Buffer.from([0]))],
    ['an archive after a PNG', png, join(makePng(), zipEnd())],
    [
      'an archive inside a PNG',
      png,
      join(makePng().subarray(0, -12), pngChunk('prVt', zipEnd('\0'.repeat(16)).subarray(0, -16)), pngEnd),
    ],
    ['a JPEG without an end', jpeg, makeJpeg().subarray(0, -2)],
    ['a JPEG without a scan', jpeg, join(jpegStart, jpegFrame, jpegEnd)],
    ['a JPEG without a frame', jpeg, join(jpegStart, jpegSegment(0xe0, 'JFIF\0'), jpegScan, jpegEnd)],
    ['a JPEG with a segment past its end', jpeg, join(jpegStart, Buffer.from('ffe0ffff00', 'hex'))],
    ['a JPEG with a gap', jpeg, join(jpegStart, jpegSegment(0xe0), Buffer.from('gap'), jpegFrame, jpegScan, jpegEnd)],
    ['a page in the metadata of a JPEG', jpeg, makeJpeg(jpegSegment(0xfe, page))],
    ['a program in the metadata of a JPEG', jpeg, makeJpeg(jpegSegment(0xe1, '<?php system($_GET[0]);'))],
    ['a JPEG of empty segments', jpeg, makeJpeg(Buffer.concat(Array(10_000).fill(jpegSegment(0xe5))))],
    ['a PNG of empty chunks', png, makePng(Buffer.concat(Array(10_000).fill(pngChunk('prVt'))))],
    ['a PDF that does not start at the first byte', pdf, join(Buffer.from(' '), makePdf())],
    ['a PDF after a page', pdf, join(Buffer.from(page), makePdf())],
    ['a page in the header of a PDF', pdf, makePdf(`% ${page}\n`)],
    ['a PDF without an end', pdf, makePdf().subarray(0, -6)],
    ['an archive after a PDF', pdf, join(makePdf(), zipEnd())],
    ['an archive around the end of a PDF', pdf, join(Buffer.from('%PDF-1.7\n'), zipEnd('startxref\n1\n%%EOF\n'))],
  ])('%s', (_name, type, bytes) => {
    expect(read(type, bytes)).toBeUndefined();
  });

  test.each([png, jpeg, pdf] as const)('%s cut off anywhere', (type) => {
    const whole = { [png]: makePng(), [jpeg]: makeJpeg(), [pdf]: makePdf().subarray(0, -1) }[type];
    expect(read(type, whole)).toBeDefined();
    for (let length = 1; length < whole.length; length += 1)
      expect(read(type, whole.subarray(0, length)), `${length} bytes`).toBeUndefined();
  });

  test('parsing terminates, whatever the bytes', () => {
    const starts = { [png]: pngSignature, [jpeg]: jpegStart, [pdf]: Buffer.from('%PDF-1.7\n') };
    fc.assert(
      fc.property(fc.constantFrom(png, jpeg, pdf), fc.uint8Array({ maxLength: 300 }), (type, rest) => {
        expect(read(type, join(starts[type], rest))).toBeUndefined();
      }),
    );
  });
});

describe('only the canonical form of base64 is accepted', () => {
  const content = makePng().toString('base64');
  const bare = content.replace(/=+$/, '');

  test('the canonical form', () => {
    expect(content).not.toBe(bare);
    expect(readAttachment({ name: 'a', type: png, content })).toBeDefined();
  });

  test.each([
    ['nothing', ''],
    ['without padding', bare],
    ['too much padding', `${content}====`],
    ['padding in the middle', `====${content}`],
    ['a line break', `${content.slice(0, 8)}\n${content.slice(8)}`],
    ['the URL-safe alphabet', content.replace(/[A-Za-z]/, '-')],
    [
      'non-zero trailing bits',
      `${bare.slice(0, -1)}${String.fromCharCode(bare.charCodeAt(bare.length - 1) + 1)}${content.slice(bare.length)}`,
    ],
    ['a data URL', `data:image/png;base64,${content}`],
  ])('%s', (_name, text) => {
    expect(readAttachment({ name: 'a', type: png, content: text })).toBeUndefined();
  });
});

describe('names', () => {
  test.each<[string, AttachmentType, string]>([
    ['transfer.png', png, 'transfer.png'],
    ['IMG_2041.JPEG', jpeg, 'IMG-2041.jpg'],
    ['../../etc/passwd', pdf, 'passwd.pdf'],
    ['C:\\shots\\Überweisung.PNG.exe', png, 'Uberweisung-PNG.png'],
    ['statement.pdf.html', pdf, 'statement-pdf.pdf'],
    ['a"; filename="b.exe', png, 'a- filename-b.png'],
    ['a\u202Egnp.exe', png, 'a-gnp.png'],
    ['रसीद.png', png, 'file.png'],
    ['.png', png, 'png.png'],
    ['   ', jpeg, 'file.jpg'],
    [`${'n'.repeat(190)}.pdf`, pdf, `${'n'.repeat(80)}.pdf`],
  ])('%j becomes %s', (name, type, plain) => {
    const bytes = { [png]: makePng(), [jpeg]: makeJpeg(), [pdf]: makePdf() }[type];
    expect(read(type, bytes, name)?.name).toBe(plain);
  });

  test('any name becomes one extension and text that the database accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect(plainName(name, png)).toMatch(/^[A-Za-z0-9][A-Za-z0-9 -]{0,79}\.png$/);
      }),
    );
  });
});
