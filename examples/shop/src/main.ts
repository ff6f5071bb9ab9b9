import { readConfig, type ShopConfig } from './config.ts';
import { startShop } from './shop.ts';

function configOrExit(): ShopConfig {
  try {
    return readConfig(process.env);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const shop = await startShop(configOrExit(), (line) => console.error(line));
console.log(`The shop is open at ${shop.url}`);

async function stop(): Promise<void> {
  await shop.close();
  process.exit(0);
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// Started by a parent with a channel (as the demo does), the shop goes when the parent goes, however that went.
process.once('disconnect', stop);
