/** Resolves when the text was written; rejects when the pipe was closed. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A note for people, on standard error. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** A reader may close the pipe early (`florin events list --all | head`): this is no error. */
export function endQuietlyWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
