/** Checks that one organization takes a burst. */
import { BURST_GATE, type Site } from './check-day.ts';
import { median } from './check-probe.ts';
import { API, DEVICE_API } from './demo/provision.ts';
import { refused } from './operator-shell.ts';

/** Pallets that are coupled at the same time. */
const COUPLED = 300;
/** Pallets that are scanned one after another. */
const SCANNED = 200;
const SHIPMENT = 'CHECK-BURST';

/** The requests of a burst: their times, and the refusals in the order in which they arrived. */
class Burst {
  readonly #what: string;
  readonly #begin = performance.now();
  readonly #times: number[] = [];
  readonly #refusals: string[] = [];

  constructor(what: string) {
    this.#what = what;
  }

  /** Send the request with this number, and return its answer; undefined if it was refused. */
  async send<T>(number: number, request: () => Promise<Response>): Promise<T | undefined> {
    const begin = performance.now();
    try {
      const answer = await request();
      if (!answer.ok) throw await refused(answer);
      this.#times.push(performance.now() - begin);
      return (await answer.json()) as T;
    } catch (error) {
      this.refuse(number, (error as Error).message);
      return undefined;
    }
  }

  refuse(number: number, text: string): void {
    const after = Math.round(performance.now() - this.#begin);
    this.#refusals.push(`number ${number}, after ${after} ms: ${text}`);
  }

  /** A sentence about the burst. @throws with the first refusal */
  end(): string {
    const [first] = this.#refusals;
    if (first !== undefined)
      throw new Error(`${this.#refusals.length} ${this.#what} were refused. The first is ${first}`);
    const seconds = ((performance.now() - this.#begin) / 1_000).toFixed(1);
    const [middle, longest] = [median(this.#times), Math.max(...this.#times)].map(Math.round);
    return `${this.#times.length} ${this.#what} in ${seconds} s (median ${middle} ms, longest ${longest} ms)`;
  }
}

/**
 * Couple pallets at the same time, and scan many in a row. All requests go to one object, which must not exceed a limit of
 * the platform, such as the number of D1 queries of an invocation. @throws with the text of the first refusal
 */
export async function burst({ wms, devices }: Site): Promise<string> {
  const coupling = new Burst('couplings at once');
  const coupled = await Promise.all(
    Array.from({ length: COUPLED }, (_, index) =>
      coupling.send<{ track: { wmsId: string; markerCode: number } }>(index + 1, () =>
        wms.send('burst: couple', 'POST', `${API}/track/get-and-couple?imageDelivery=URL`, {
          body: { wmsId: `BURST-${index + 1}` },
        }),
      ),
    ),
  );
  const first = coupling.end();
  const pallets = coupled.slice(0, SCANNED).map((answer) => answer!.track);
  const step = 'burst: plan';
  const assets = pallets.map(({ wmsId }) => wmsId);
  await wms.call(step, 'POST', `${API}/manifest`, { externalIdentifier: SHIPMENT, assets });
  await wms.call(step, 'POST', `${API}/shipment`, {
    identifier: SHIPMENT,
    gateIdentifier: BURST_GATE,
    manifests: [{ manifestExternalId: SHIPMENT }],
  });
  await wms.call(step, 'POST', `${API}/shipment/${SHIPMENT}/status/IN_PROGRESS`);
  const scanning = new Burst('scans in a row');
  for (const [index, { markerCode }] of pallets.entries()) {
    const answer = await scanning.send<{ outcome: string }>(index + 1, () =>
      devices.send('burst: scan', 'POST', `${DEVICE_API}/gate/${BURST_GATE}/scan`, {
        body: { scanId: `burst-${markerCode}`, markerCode, direction: 'LOAD' },
      }),
    );
    if (answer && answer.outcome !== 'LOADED') scanning.refuse(index + 1, `the outcome is ${answer.outcome}`);
  }
  return `${first}; ${scanning.end()}`;
}
