// The types of jpeg-js include its decoder, which this service does not use.
declare module 'jpeg-js/lib/encoder.js' {
  interface Pixels {
    width: number;
    height: number;
    /** RGBA. */
    data: ArrayLike<number>;
  }
  export default function encode(pixels: Pixels, quality: number): Pixels & { data: Uint8Array };
}
