/** Limits and callbacks of a generated body. */
export interface StreamOptions {
  /** Called if the reader stops, even before the first part. */
  cancelled?: () => Promise<void>;
  /** A reader that reads nothing for so long (milliseconds) is cut off. By default, none is. */
  patienceMs?: number;
}

/**
 * A body that is generated while it is read. The first part is made before the answer begins, so a failure there is an
 * ordinary error of the request. The other parts take no memory before they are requested. Between two parts the isolate
 * serves other requests.
 */
export async function streamOf(
  parts: AsyncIterable<string | Uint8Array>,
  { cancelled = async () => undefined, patienceMs }: StreamOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  const iterator = parts[Symbol.asyncIterator]();
  let first: IteratorResult<string | Uint8Array> | undefined = await iterator.next();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    await iterator.return?.();
    await cancelled();
  };
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(timer);
      const { done, value } = first ?? (await iterator.next());
      first = undefined;
      if (done) return controller.close();
      controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      if (patienceMs !== undefined) {
        timer = setTimeout(() => {
          controller.error(new Error('The reader of the body has stopped.'));
          void stop();
        }, patienceMs);
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    cancel: stop,
  });
}
