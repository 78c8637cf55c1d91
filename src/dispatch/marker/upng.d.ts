// upng-js has no types. This file declares only what the marker image uses.
declare module 'upng-js' {
  /** One frame as the encoder expects it, before filtering and deflating. */
  interface Frame {
    rect: { x: number; y: number; width: number; height: number };
    /** The scanlines without their filter bytes: `height` times `bpl` bytes. */
    img: Uint8Array;
    /** Bytes of a scanline. */
    bpl: number;
    /** Bytes of a pixel, at least 1. With 1 the encoder uses filter type 0 only. */
    bpp: number;
    blend: number;
    dispose: number;
  }

  interface Compressed {
    /** PNG colour type. */
    ctype: number;
    /** PNG bit depth. */
    depth: number;
    plte: number[];
    gotAlpha: boolean;
    frames: Frame[];
  }

  interface Encode {
    /** `bufs` are RGBA8 frames. Their size limits the size of the result. */
    (bufs: ArrayBuffer[], width: number, height: number, colours: number): ArrayBuffer;
    /** Turns RGBA8 into frames. It is looked up at each call, so it can be replaced. */
    compress: (...args: unknown[]) => Compressed;
  }

  const UPNG: { encode: Encode };
  export default UPNG;
}
