/** One end of the channel between a process and one that it started. */
export type Channel = {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
};

/** The functions that one end offers: each takes one value and returns one, both as structured clones. */
export type Calls = Record<string, (value: never) => Promise<unknown>>;

/** The calls of the other end. */
export type Peer<Theirs extends Calls> = {
  call<Name extends keyof Theirs & string>(
    name: Name,
    value: Parameters<Theirs[Name]>[0],
  ): ReturnType<Theirs[Name]>;
  /** Rejects calls that wait for an answer and all later ones: the other process has ended. */
  end(): void;
};

type Message =
  | { kind: 'call'; id: number; name: string; value: unknown }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'fault'; id: number; message: string };

/** Calls functions of another process, and answers its calls of `ours`. */
export function createPeer<Theirs extends Calls>(channel: Channel, ours: Calls): Peer<Theirs> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let ended = false;

  function send(message: Message): void {
    if (!ended) channel.send(message);
  }

  async function answer(id: number, name: string, value: unknown): Promise<void> {
    try {
      const work = ours[name] as ((value: unknown) => Promise<unknown>) | undefined;
      if (!work) throw new Error(`There is no call ${name}`);
      send({ kind: 'answer', id, value: await work(value) });
    } catch (error) {
      send({ kind: 'fault', id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  channel.onMessage((received) => {
    const message = received as Message;
    if (message.kind === 'call') {
      void answer(message.id, message.name, message.value);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.kind === 'answer') call?.resolve(message.value);
    else call?.reject(new Error(message.message));
  });

  return {
    call(name, value) {
      const call = Promise.withResolvers<unknown>();
      if (ended) call.reject(new Error('The other process has ended'));
      else {
        waiting.set(++lastId, call);
        send({ kind: 'call', id: lastId, name, value });
      }
      return call.promise as ReturnType<Theirs[typeof name]>;
    },
    end() {
      ended = true;
      for (const call of waiting.values()) call.reject(new Error('The other process has ended'));
      waiting.clear();
    },
  };
}
