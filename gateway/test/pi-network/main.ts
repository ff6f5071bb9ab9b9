// The demo Pi network of an installation as a process of its own: `main.ts <directory> <port> <origin of the page>`.
// It ends with the process that started it.
import { startPiNetwork } from './network.ts';

const [directory, port, pageOrigin] = process.argv.slice(2);
const starting = startPiNetwork({
  directory: directory!,
  port: Number.parseInt(port!, 10),
  pageOrigins: [pageOrigin!],
});
let ending: Promise<void> | undefined;
const end = (): void => {
  ending ??= starting.then((network) => network.stop()).then(() => process.exit(0));
};
process.on('SIGTERM', end);
process.on('SIGINT', end);
process.on('disconnect', end);
const { url } = await starting;
if (process.connected) process.send?.({ url });
else end();
