/** What has been started. It is stopped in the opposite order, also when the start failed. */
export type Stops = { name: string; stop: () => Promise<unknown> }[];

export async function stopAll(stops: Stops): Promise<void> {
  for (const { name, stop } of stops.reverse()) {
    await stop().catch((error: Error) => process.stderr.write(`${name} did not stop: ${error.message}\n`));
  }
}
