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

type Query = (...args: unknown[]) => unknown;

/** Statements that go to the server in one packet; for the driver they are one. Each is told its own answer. */
class Packet {
  /** Called at the end. The driver puts its own in front, for its time limit. */
  callback: Settled = () => {};
  readonly #statements: readonly Statement[];
  readonly #unparsed: Statement[] = [];
  #answered = 0;
  #wire: Wire | undefined;

  constructor(statements: readonly Statement[]) {
    this.#statements = statements;
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
    for (const statement of this.#statements) {
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
    this.#statements[this.#answered]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#statements[this.#answered]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    this.#statements[this.#answered]?.handleCommandComplete(message, wire);
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
    if (!this.#wire) return;
    this.#wire = undefined;
    wire.off('parseComplete', this.#noteParsed);
    for (const { name } of this.#unparsed) if (name) delete wire.submittedNamedStatements[name];
    for (const [at, statement] of this.#statements.entries()) {
      if (error && at >= this.#answered) statement.handleError(error, wire);
      else statement.handleReadyForQuery(wire);
    }
    this.callback(error);
  }
}

/** A statement of a packet, and its answer. */
type Asked = { statement: Statement; answer: Promise<unknown> };

function ask(client: pg.ClientBase, args: unknown[]): Asked {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const settle: Settled = (error, result) => (error ? reject(error) : resolve(result));
  const [config, values] = args;
  const text = typeof config === 'string' ? { text: config } : (config as object);
  const Statement = pg.Query as unknown as new (...args: unknown[]) => Statement;
  const statement = new Statement({ ...text, queryMode: 'extended' }, values, settle);
  statement._result._types = (client as unknown as { _types: unknown })._types;
  const answer = promise.catch((error: Error) => {
    // The stack of those who asked, in place of the socket's, as the driver does it.
    Error.captureStackTrace(error);
    throw error;
  });
  return { statement, answer };
}

/** Several commands in one text cannot be prepared; a source of data is no statement. */
function isOneStatement([config]: unknown[]): boolean {
  if (typeof config === 'string') return !config.includes(';');
  return typeof config === 'object' && config !== null && 'text' in config && !('submit' in config);
}

const begin = { name: 'begin', text: 'BEGIN' };

/** How the statements of one transaction are sent. */
export type Sending = {
  /** Whether BEGIN was sent: nothing is to be committed or rolled back otherwise. */
  hasBegun(): boolean;
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

  function sendPacket(asked: readonly Asked[]): void {
    const statements = asked.map(({ statement }) => statement);
    if (begun === true) send(new Packet(statements));
    else if (begun !== false)
      begun.then(
        () => send(new Packet(statements)),
        (error: Error) => void statements.map((each) => each.handleError(error, undefined as never)),
      );
    else {
      const first = ask(client, [begin]);
      noteBegun(first.answer);
      send(new Packet([first.statement, ...statements]));
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

  Object.assign(client, { query });
  return {
    hasBegun: () => begun !== false,
    together(work) {
      if (gathered) return work();
      const asked: Asked[] = [];
      gathered = asked;
      try {
        return work();
      } finally {
        gathered = undefined;
        if (asked.length > 0) sendPacket(asked);
      }
    },
    end() {
      // What the client had of its class.
      delete (client as { query?: unknown }).query;
    },
  };
}
