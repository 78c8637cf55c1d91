import { Buffer } from 'node:buffer';

/** The size of a part in bytes. It is the smallest that R2 accepts, because an upload holds one part in memory. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Writes an object to R2 from bytes that arrive in pieces. A small object is put in one call. A large object is
 * uploaded in parts, with only one part in memory at a time. The object does not exist before `complete`. R2 drops
 * unfinished uploads after 7 days.
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

  /** Append bytes. Sends a part once it is full. */
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

  /** Finish the upload: the object exists from now on. */
  async complete(): Promise<void> {
    if (!this.#upload) {
      await this.#bucket.put(this.#key, this.#take(), this.#options);
      return;
    }
    await this.#sendPart();
    await this.#upload.complete(this.#uploaded);
  }

  /** Drop the uploaded parts. Failures are ignored, since nothing refers to the parts. */
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
