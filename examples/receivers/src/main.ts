import { type Framework, frameworks, serveReceiver } from './serve.ts';

/** `node src/main.ts express`: starts one of the examples on PORT, 3000 by default. */
async function main([framework = 'express']: string[]): Promise<void> {
  if (!frameworks.includes(framework as Framework)) {
    console.error(`There is no ${framework}: choose one of ${frameworks.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  const { url } = await serveReceiver(
    framework as Framework,
    Number.parseInt(process.env.PORT ?? '3000', 10),
  );
  console.log(`Webhooks may come to ${url}`);
}

await main(process.argv.slice(2));
