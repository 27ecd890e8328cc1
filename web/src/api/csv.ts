export { type CsvCell, csvText } from '#contract/csv.ts';

/** Hands the text to the browser as a file. The mark in front tells spreadsheets that it is UTF-8. */
export const saveCsv = (fileName: string, text: string): void =>
  saveFile(fileName, new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));

/** Hands a file that is already one to the browser. */
export function saveFile(fileName: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
