/**
 * A body that is generated as it is read. Parts that nobody has asked for take no memory, and between two parts other
 * requests of the isolate are served.
 */
export function streamOf(
  parts: AsyncIterable<string | Uint8Array>,
  /** Called where the reader stops, also before the first part. */
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
