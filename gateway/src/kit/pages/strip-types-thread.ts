// A thread that removes the types from its sources, returns them, and ends.
import { stripTypeScriptTypes } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

// Node says that this call is experimental; the version of Node is ours.
process.removeAllListeners('warning');
parentPort?.postMessage((workerData as string[]).map((source) => stripTypeScriptTypes(source)));
