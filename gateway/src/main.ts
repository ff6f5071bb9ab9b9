import { serve } from './commands/serve.ts';
import { readServeOptions } from './commands/serving/options.ts';

const options = readServeOptions(process.argv.slice(2));
if (typeof options === 'string') {
  process.stderr.write(`${options} Settings: npm run florin -- config --help\n`);
  process.exit(1);
}
await serve(process.env, options);
