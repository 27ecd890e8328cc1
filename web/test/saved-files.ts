import { onTestFinished, vi } from 'vitest';

/** The files that a page of this test saves. */
export function savedFiles(): { name: string; file: Blob }[] {
  const saved: { name: string; file: Blob }[] = [];
  const made: Blob[] = [];
  const spies = [
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${made.push(file as Blob) - 1}`),
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(),
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, file: made.at(-1) as Blob });
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return saved;
}
