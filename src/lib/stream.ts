/**
 * A body that is made as it is read: parts that nobody has asked for yet take no memory, and between two of them other
 * requests of the isolate get their turn.
 */
export function streamOf(
  parts: AsyncIterable<string | Uint8Array>,
  /** Runs where nobody reads on, also where nobody began to. */
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
