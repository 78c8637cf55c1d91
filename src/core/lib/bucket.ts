import { fromPlatform, reaching } from './store.ts';

/** Methods with a result that has methods of its own: an object with its bytes, or an upload in parts. */
const OPENING = ['get', 'createMultipartUpload'];

/** The bucket of a deployment. Its errors are errors of the platform. So are the errors of objects that it opens. */
export const bucketOf = ({ CALIBRATION }: { CALIBRATION: R2Bucket }): R2Bucket => marking(CALIBRATION);

/** The same object of the platform. Its methods mark their errors. */
function marking<T extends object>(real: T): T {
  return new Proxy(real, {
    get(_, name) {
      const member: unknown = Reflect.get(real, name, real);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]) =>
        reaching(async () => {
          const result: unknown = await member.apply(real, given);
          return result && OPENING.includes(String(name)) ? marking(result) : result;
        });
    },
  });
}

/** The bytes of an object as they arrive. An error while they arrive is one of the platform. */
export async function* bytesOf({ body }: R2ObjectBody): AsyncGenerator<Uint8Array> {
  try {
    yield* body as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw fromPlatform(error);
  }
}
