import { Buffer } from 'node:buffer';

/** The smallest part that R2 takes before the last one, which is what an upload holds in memory. Bytes. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * An object on its way into the bucket. Small ones are put at once; of larger ones a part is held at a time. R2
 * shows nothing of it before `complete`, and drops the parts of uploads that never come to it after 7 days.
 */
export class NewObject {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #options: R2PutOptions & R2MultipartOptions;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #upload: R2MultipartUpload | undefined;
  readonly #uploaded: R2UploadedPart[] = [];

  constructor(bucket: R2Bucket, key: string, options: R2PutOptions & R2MultipartOptions = {}) {
    this.#bucket = bucket;
    this.#key = key;
    this.#options = options;
  }

  /** Take bytes; those that make a part are sent. */
  async write(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (this.#heldBytes + rest.length > PART_BYTES) {
      const fitting = PART_BYTES - this.#heldBytes;
      this.#hold(rest.subarray(0, fitting));
      rest = rest.subarray(fitting);
      await this.#sendPart();
    }
    this.#hold(rest);
  }

  /** Have the object be there. */
  async complete(): Promise<void> {
    if (!this.#upload) {
      await this.#bucket.put(this.#key, this.#take(), this.#options);
      return;
    }
    await this.#sendPart();
    await this.#upload.complete(this.#uploaded);
  }

  /** Drop what was sent. It is nobody's, so a failure here is worth no other answer. */
  async abort(): Promise<void> {
    await this.#upload?.abort().catch((error) => console.warn(String(error)));
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #take(): Uint8Array {
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }

  async #sendPart(): Promise<void> {
    this.#upload ??= await this.#bucket.createMultipartUpload(this.#key, this.#options);
    this.#uploaded.push(await this.#upload.uploadPart(this.#uploaded.length + 1, this.#take()));
  }
}
