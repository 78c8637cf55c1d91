// upng-js ships no types. Only what the marker image uses is declared.
declare module 'upng-js' {
  /** One frame as the encoder wants it, before filtering and deflating. */
  interface Frame {
    rect: { x: number; y: number; width: number; height: number };
    /** The scanlines without their filter bytes: `height` times `bpl` bytes. */
    img: Uint8Array;
    /** Bytes a scanline. */
    bpl: number;
    /** Bytes a pixel, at least 1; with 1 the encoder keeps to filter type 0. */
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
    /** `bufs` are RGBA8 frames; their size bounds the size of the answer. */
    (bufs: ArrayBuffer[], width: number, height: number, colours: number): ArrayBuffer;
    /** Turns RGBA8 into frames; looked up at each call, so it can be replaced. */
    compress: (...args: unknown[]) => Compressed;
  }

  const UPNG: { encode: Encode };
  export default UPNG;
}
