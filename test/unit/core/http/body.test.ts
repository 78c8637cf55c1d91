import { expect, it } from 'vitest';
import { readJson } from '../../../../src/core/http/body.ts';
import type { AppContext } from '../../../../src/core/http/types.ts';
import { ProblemError } from '../../../../src/core/lib/problem.ts';

/** A request whose sender disconnects after these bytes. */
function brokenOff(bytes: Uint8Array): AppContext {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) controller.error(new Error('Network connection lost.'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
  return { req: { raw: { body }, header: () => 'application/json' } } as unknown as AppContext;
}

it("a request body that breaks off is the sender's fault, not a defect", async () => {
  const reading = readJson(brokenOff(new TextEncoder().encode('{"externalId')));
  const failed = await reading.catch((error: ProblemError) => error);
  expect(failed).toBeInstanceOf(ProblemError);
  expect((failed as ProblemError).refusal).toMatchObject({
    code: 'malformedJson',
    detail: 'The body is incomplete.',
  });
});
