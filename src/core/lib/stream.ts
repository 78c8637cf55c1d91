/**
 * A body that is generated while it is read. Parts take no memory before they are requested. Between two parts the
 * isolate serves other requests.
 */
export function streamOf(
  parts: AsyncIterable<string | Uint8Array>,
  /** Called if the reader stops, even before the first part. */
  cancelled: () => Promise<void> = async () => undefined,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) return controller.close();
      controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      await new Promise((resolve) => setTimeout(resolve, 0));
    },
    async cancel() {
      await iterator.return?.();
      await cancelled();
    },
  });
}
