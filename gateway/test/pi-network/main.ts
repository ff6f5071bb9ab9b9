// The demo Pi network of an installation as a process of its own: `main.ts <directory> <port> <origin of the page>`.
// It ends with the process that started it.
import { startPiNetwork } from './network.ts';

const [directory, port, pageOrigin] = process.argv.slice(2);
const starting = startPiNetwork({
  directory: directory!,
  port: Number.parseInt(port!, 10),
  pageOrigins: [pageOrigin!],
});
const stopped = Promise.withResolvers<void>();
for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => stopped.resolve());
const network = await starting;
if (process.connected) process.send?.({ url: network.url });
await stopped.promise;
await network.stop();
process.exit(0);
