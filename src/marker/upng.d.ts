declare module 'upng-js' {
  interface Frame {
    rect: { x: number; y: number; width: number; height: number };
    /** Packed rows. */
    img: Uint8Array;
    /** Bytes a row. */
    bpl: number;
    /** Bytes a pixel, at least 1; 1 makes the encoder use filter type 0 only. */
    bpp: number;
    blend: number;
    dispose: number;
  }
  interface Compressed {
    ctype: number;
    depth: number;
    plte: number[];
    gotAlpha: boolean;
    frames: Frame[];
  }
  const UPNG: {
    encode: {
      (buffers: ArrayBuffer[], width: number, height: number, colours: number): ArrayBuffer;
      /** Chooses colour type, depth and packed rows; the rest of the encoder writes what it returns. */
      compress: (...args: unknown[]) => Compressed;
    };
  };
  export default UPNG;
}
