// How a page asks the server: an answer comes in steps, and whoever leaves need not wait.

export class Refused extends Error {
  constructor({ error, where }) {
    super(error);
    this.where = where;
  }
}

/** The path with a query of all parameters that have a value. */
export function address(path, parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given).toString();
  return query ? `${path}?${query}` : path;
}

/**
 * @typedef {object} Asking
 * @property {AbortSignal} [signal]
 * @property {boolean} [post]
 * @property {(step: any) => void} [onStep]
 * @property {(ahead: number) => void} [onWaiting]
 */

/**
 * Ask, and return the last step. `onStep` hears every step, `onWaiting` how many searches are ahead.
 * A search that is aborted by its signal ends on the server too. What is too long for an address is posted.
 * @param {string} path
 * @param {object} parameters
 * @param {Asking} [how]
 * @returns {Promise<any>}
 */
export async function ask(path, parameters, { signal, post = false, onStep = () => {}, onWaiting = () => {} } = {}) {
  const headers = { Accept: "text/event-stream", ...(post ? { "Content-Type": "application/json" } : {}) };
  const posted = { method: "POST", body: JSON.stringify(parameters) };
  const response = await fetch(post ? path : address(path, parameters), { signal, headers, ...(post ? posted : {}) });
  if (!response.ok) throw new Refused(await response.json());
  let last = null;
  for await (const [event, data] of events(response.body)) {
    if (event === "step") onStep((last = data));
    else if (event === "waiting") onWaiting(data.ahead);
    else if (event === "error") throw new Refused(data);
    else if (event === "end") return last;
  }
  throw new Refused({ error: "the server ended before its answer", where: path });
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (text + value).split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const [event, data] = part.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      yield [event, JSON.parse(data)];
    }
  }
}
