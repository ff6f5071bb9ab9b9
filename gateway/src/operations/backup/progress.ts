/** The progress of a backup or a restore. */
export type Progress = { tables: number; ofTables: number; rows: number; bytes: number };

export type OnProgress = (progress: Progress) => void;

const everyMs = 200;

/** Shows one line on a terminal, which is updated, and nothing elsewhere. `end` removes the line. */
export function progressLine(doing: string): { show: OnProgress; end(): void } {
  const terminal = process.stderr;
  if (!terminal.isTTY) return { show: () => {}, end: () => {} };
  const began = performance.now();
  let drawnAt = 0;
  return {
    show(progress) {
      const now = performance.now();
      if (now - drawnAt < everyMs) return;
      drawnAt = now;
      terminal.write(`\r\u001b[K${doing} ${describe(progress)}, ${seconds(now - began)}`);
    },
    end: () => terminal.write('\r\u001b[K'),
  };
}

/** `12 of 53 tables, 1,203,441 rows, 311.4 MB` */
function describe({ tables, ofTables, rows, bytes }: Progress): string {
  return `${tables} of ${ofTables} tables, ${rows.toLocaleString('en')} rows, ${megabytes(bytes)}`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
