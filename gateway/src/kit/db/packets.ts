import pg from 'pg';

// The driver sends a Sync behind every statement: where one fails, the next is executed all the same. Here several statements go
// in one packet with one Sync behind the last. After an error PostgreSQL skips everything up to the Sync, so where BEGIN fails
// nothing that follows it is executed.

/** What the driver has for a connection, beside what its types say. */
type Wire = {
  stream: { cork(): void; uncork(): void; destroy(error: Error): void };
  sync(): void;
  sendCopyFail(message: string): void;
  on(event: 'parseComplete', listener: () => void): void;
  off(event: 'parseComplete', listener: () => void): void;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

type Settled = (error: Error | null, result?: unknown) => void;
type Outcome = PromiseSettledResult<unknown>;

/** What the driver has for a statement: it serializes it, and reads its answer. */
type Statement = {
  name?: string;
  text: string;
  _result: { _types?: unknown };
  submit(wire: Wire): Error | null;
  hasBeenParsed(wire: Wire): boolean;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleReadyForQuery(wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
};

/** A statement that is asked for: once it was answered it has an outcome, of which whoever asked is told by `settle`. */
type Asked = {
  statement: Statement;
  outcome: Outcome | undefined;
  answer: Promise<unknown>;
  settle: Settled;
};

type Query = (...args: unknown[]) => unknown;

/**
 * Statements that go to the server in one packet; for the driver they are one. To be awaited until all of them have an outcome.
 */
class Packet implements PromiseLike<void> {
  /** Called at the end. The driver puts its own in front, for its time limit. */
  callback: Settled = () => {};
  readonly #asked: readonly Asked[];
  readonly #unparsed: Statement[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #answered = 0;
  #wire: Wire | undefined;

  constructor(asked: readonly Asked[]) {
    this.#asked = asked;
  }

  // biome-ignore lint/suspicious/noThenProperty: the driver gives back what it is given, and callers await that
  get then(): PromiseLike<void>['then'] {
    const { promise } = this.#ended;
    return promise.then.bind(promise);
  }

  submit(wire: Wire): null {
    this.#wire = wire;
    wire.on('parseComplete', this.#noteParsed);
    // What was written of a packet cannot be taken back, so a statement that cannot be written ends the connection. The driver
    // closes a statement whose values it cannot write.
    const giveUp = (fault: Error): void => wire.stream.destroy(fault);
    const withoutSync = Object.create(wire, {
      sync: { value: () => {} },
      close: { value: () => giveUp(new Error('A value of a statement cannot be sent')) },
    }) as Wire;
    wire.stream.cork();
    for (const { statement } of this.#asked) {
      if (!statement.hasBeenParsed(wire)) this.#unparsed.push(statement);
      const fault = statement.submit(withoutSync);
      if (fault) giveUp(fault);
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  readonly #noteParsed = (): void => {
    const parsed = this.#unparsed.shift();
    if (!this.#wire || !parsed?.name) return;
    this.#wire.parsedStatements[parsed.name] = parsed.text;
    delete this.#wire.submittedNamedStatements[parsed.name];
  };

  handleRowDescription(message: unknown): void {
    this.#asked[this.#answered]?.statement.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#asked[this.#answered]?.statement.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    this.#asked[this.#answered]?.statement.handleCommandComplete(message, wire);
    this.#answered += 1;
  }

  handleEmptyQuery(): void {
    this.#answered += 1;
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('A packet has no source of data');
  }

  handleReadyForQuery(wire: Wire): void {
    this.#end(null, wire);
  }

  /** The first that was not answered has failed, and those behind it were not executed: all of them get the error. */
  handleError(error: Error, wire: Wire): void {
    this.#end(error, wire);
  }

  #end(error: Error | null, wire: Wire): void {
    // It may fail before it was sent.
    this.#wire?.off('parseComplete', this.#noteParsed);
    this.#wire = undefined;
    for (const { name } of this.#unparsed) if (name) delete wire.submittedNamedStatements[name];
    for (const [at, { statement, outcome }] of this.#asked.entries()) {
      if (outcome) continue;
      if (error && at >= this.#answered) statement.handleError(error, wire);
      else statement.handleReadyForQuery(wire);
    }
    this.callback(error);
    this.#ended.resolve();
  }
}

function ask(client: pg.ClientBase, args: unknown[]): Asked {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const [config, values] = args;
  const text = typeof config === 'string' ? { text: config } : (config as object);
  const Statement = pg.Query as unknown as new (...args: unknown[]) => Statement;
  const note: Settled = (error, value) => {
    asked.outcome = error ? { status: 'rejected', reason: error } : { status: 'fulfilled', value };
  };
  const statement = new Statement({ ...text, queryMode: 'extended' }, values, note);
  statement._result._types = (client as unknown as { _types: unknown })._types;
  const answer = promise.catch((error: Error) => {
    // The stack of those who asked, in place of the socket's, as the driver does it.
    Error.captureStackTrace(error);
    throw error;
  });
  const settle: Settled = (error) => {
    const { outcome } = asked;
    if (error) reject(error);
    else if (outcome?.status === 'fulfilled') resolve(outcome.value);
    else reject(outcome?.reason);
  };
  const asked: Asked = { statement, outcome: undefined, answer, settle };
  return asked;
}

const settleAll = (asked: readonly Asked[], error: Error | null): void => {
  for (const { settle } of asked) settle(error);
};

/** Several commands in one text cannot be prepared; a source of data is no statement. */
function isOneStatement([config]: unknown[]): boolean {
  if (typeof config === 'string') return !config.includes(';');
  return typeof config === 'object' && config !== null && 'text' in config && !('submit' in config);
}

const begin = { name: 'begin', text: 'BEGIN' };
const commit = { name: 'COMMIT', text: 'COMMIT' };

/** How the statements of one transaction are sent. */
export type Sending = {
  /** Whether BEGIN was sent: nothing is to be rolled back otherwise. */
  hasBegun(): boolean;
  /** Keeps what `work` asks for until it returns, for the packet of COMMIT. */
  last(work: () => unknown): void;
  /** Commits, if anything was asked for. Returns the command that PostgreSQL answers: ROLLBACK after an error that was ignored. */
  commit(): Promise<string>;
  /** Sends in one packet what `work` asks for until it returns; within another call all of it is one packet. */
  together<T>(work: () => T): T;
  /** The client is an ordinary one again. */
  end(): void;
};

/**
 * Takes over `query` of a client for a transaction, until `end`: BEGIN goes with the first statement, in one packet. What is
 * asked for before BEGIN has been answered waits for it.
 */
export function sendTransaction(client: pg.ClientBase): Sending {
  const send = client.query.bind(client) as Query;
  let begun: Promise<unknown> | boolean = false;
  let gathered: Asked[] | undefined;

  async function exchange(asked: readonly Asked[]): Promise<void> {
    try {
      await send(new Packet(asked));
      settleAll(asked, null);
    } catch (error) {
      settleAll(asked, error as Error);
    }
  }

  function sendPacket(asked: readonly Asked[]): void {
    if (begun === true) void exchange(asked);
    else if (begun !== false)
      begun.then(
        () => exchange(asked),
        (error: Error) => settleAll(asked, error),
      );
    else {
      const first = ask(client, [begin]);
      noteBegun(first.answer);
      void exchange([first, ...asked]);
    }
  }

  function noteBegun(answer: Promise<unknown>): void {
    begun = answer;
    answer.then(
      () => {
        begun = true;
      },
      () => {},
    );
  }

  function query(...args: unknown[]): unknown {
    if (gathered) {
      const asked = ask(client, args);
      gathered.push(asked);
      return asked.answer;
    }
    if (begun === true) return send(...args);
    if (begun === false && isOneStatement(args)) {
      const asked = ask(client, args);
      sendPacket([asked]);
      return asked.answer;
    }
    if (begun === false) noteBegun(send(begin.text) as Promise<unknown>);
    return (begun as Promise<unknown>).then(() => send(...args));
  }

  function gather<T>(work: () => T, into: Asked[]): T {
    const before = gathered;
    gathered = into;
    try {
      return work();
    } finally {
      gathered = before;
    }
  }

  const last: Asked[] = [];
  Object.assign(client, { query });
  return {
    hasBegun: () => begun !== false,
    last: (work) => void gather(work, last),
    async commit() {
      if (begun === false && last.length === 0) return commit.text;
      const committed = ask(client, [commit]);
      sendPacket([...last, committed]);
      const { command } = (await committed.answer) as { command: string };
      return command;
    },
    together(work) {
      if (gathered) return work();
      const asked: Asked[] = [];
      try {
        return gather(work, asked);
      } finally {
        if (asked.length > 0) sendPacket(asked);
      }
    },
    end() {
      // What the client had of its class.
      delete (client as { query?: unknown }).query;
    },
  };
}
