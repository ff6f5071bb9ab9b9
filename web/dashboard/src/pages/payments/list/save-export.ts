import { ApiError } from '../../../api/api-error.ts';
import { t } from '../../../texts/t.ts';

export type ExportFormat = 'csv' | 'json';

/** How far an export has come: rows that arrived, and how many there will be (about, when `isEstimate`). */
export type ExportProgress = { rows: number; total: number; isEstimate: boolean };

/** The two bytes that mark a row: the line end of CSV, and a new line before each object of JSON. */
const rowMarks = { csv: [13, 10], json: [10, 123] } as const;
const partBytes = 8 * 1024 * 1024;

/**
 * Loads an export and saves it as a file, and reports its progress.
 * @throws ApiError when it is refused or breaks off; an AbortError when `signal` is aborted
 */
export async function saveExport(
  path: string,
  format: ExportFormat,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<void> {
  const response = await fetch(path, { credentials: 'same-origin', signal });
  if (!response.ok || !response.body) {
    const { error, message } = (await response.json().catch(() => ({}))) as {
      error?: string;
      message?: string;
    };
    throw new ApiError(response.status, error ?? 'unknown', message ?? t('The export could not be made.'));
  }
  const total = Number(response.headers.get('x-total-count') ?? 0);
  const isEstimate = response.headers.get('x-total-count-estimated') === 'true';
  // The first line of CSV names the columns.
  let rows = format === 'csv' ? -1 : 0;
  const count = rowCounter(format);
  const parts: Blob[] = [];
  let gathered: Uint8Array<ArrayBuffer>[] = [];
  let gatheredBytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    rows += count(chunk);
    gathered.push(chunk);
    gatheredBytes += chunk.length;
    if (gatheredBytes >= partBytes) {
      // The browser may keep a blob on disk, but an array only in memory.
      parts.push(new Blob(gathered));
      gathered = [];
      gatheredBytes = 0;
    }
    onProgress({ rows: Math.max(0, isEstimate ? rows : Math.min(rows, total)), total, isEstimate });
  }
  save(new Blob([...parts, ...gathered]), `payments.${format}`);
}

function rowCounter(format: ExportFormat): (chunk: Uint8Array) => number {
  const [before, mark] = rowMarks[format];
  let last = 0;
  return (chunk) => {
    let found = 0;
    for (const byte of chunk) {
      if (byte === mark && last === before) found += 1;
      last = byte;
    }
    return found;
  };
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
