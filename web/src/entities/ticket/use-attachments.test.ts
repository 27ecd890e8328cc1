import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFile } from '../../../test/tickets.ts';
import { useAttachments } from './use-attachments.ts';

/** Files as a phone delivers them: in any order. */
class SlowReader {
  static readonly waiting: SlowReader[] = [];
  result = 'data:image/png;base64,YWJj';
  onload = () => {};
  readAsDataURL() {
    SlowReader.waiting.push(this);
  }
}

test('nothing is sent while any file is being read, whichever was chosen first', async () => {
  vi.stubGlobal('FileReader', SlowReader);
  const { result } = renderHook(() => useAttachments());
  await act(async () => {
    void result.current.add([aFile('slow.png', 'image/png', 'abc')]);
    void result.current.add([aFile('quick.png', 'image/png', 'abc'), aFile('none.txt', 'text/plain', 'abc')]);
  });
  await act(async () => SlowReader.waiting[1]?.onload());
  expect(result.current).toMatchObject({ isReading: true, files: [{ name: 'quick.png' }] });
  expect(result.current.error).toContain('none.txt was not attached');
  await act(async () => SlowReader.waiting[0]?.onload());
  expect(result.current.isReading).toBe(false);
  expect(result.current.files.map(({ name }) => name)).toEqual(['quick.png', 'slow.png']);
});
