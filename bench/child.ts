import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of the bench, so that its work takes no time of the event loop that is measured. */
export type Child<Request, Reply> = {
  pid: number;
  /** Sends one request and waits for its reply; one at a time. Rejects when the process ends instead. */
  ask(request: Request): Promise<Reply>;
  stop(): Promise<void>;
};

type Message<Reply> = { reply: Reply } | { fault: string };

/** Starts a module of this folder, which must call `answer`. */
export function startChild<Request, Reply>(module: string): Child<Request, Reply> {
  const child = fork(join(import.meta.dirname, module), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  exited.catch(() => {});
  return {
    pid: child.pid ?? 0,
    async ask(request) {
      child.send(request as object);
      return await replyOf<Reply>(child, module);
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function replyOf<Reply>(child: ChildProcess, module: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error(`${module} ended`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      const outcome = message as Message<Reply>;
      if ('reply' in outcome) resolve(outcome.reply);
      else reject(new Error(`${module}: ${outcome.fault}`));
    });
  });
}

/** Serves the requests of `ask` in the child, and ends with its parent. */
export function answer<Request, Reply>(work: (request: Request) => Promise<Reply>): void {
  process.on('disconnect', () => process.exit());
  process.on('message', async (request) => {
    const message: Message<Reply> = await work(request as Request).then(
      (reply) => ({ reply }),
      (error: unknown) => ({ fault: error instanceof Error ? (error.stack ?? error.message) : `${error}` }),
    );
    process.send!(message);
  });
}
