import { serve } from './commands/serve.ts';

const options = process.argv.slice(2);
const unknown = options.find((option) => option !== '--chain' && option !== '--pi');
if (unknown !== undefined) {
  process.stderr.write(
    `Florin does not know the option ${unknown}. Settings: npm run florin -- config --help\n`,
  );
  process.exit(1);
}
await serve(process.env, { chain: options.includes('--chain'), pi: options.includes('--pi') });
