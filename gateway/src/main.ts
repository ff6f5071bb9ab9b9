import { serve } from './commands/serve.ts';

const [option] = process.argv.slice(2);
if (option !== undefined) {
  process.stderr.write(
    `Florin does not know the option ${option}. Settings: npm run florin -- config --help\n`,
  );
  process.exit(1);
}
await serve(process.env);
