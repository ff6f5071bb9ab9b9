/** Resolves once the text is handed over; rejects where nobody reads any more. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** For whoever watches, not for whoever reads the output. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Who closed the pipe has read enough (`florin events list --all | head`): not a fault. */
export function endQuietlyWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
