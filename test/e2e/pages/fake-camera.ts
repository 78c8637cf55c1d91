import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';
import { markerModules } from '../../../src/dispatch/marker/symbol.ts';

const [WIDTH, HEIGHT, FRAMES_A_SECOND] = [640, 480, 10];
const WHITE = 235;
const BLACK = 16;

/** A black and white picture. */
interface Picture {
  width: number;
  height: number;
  dark(x: number, y: number): boolean;
}

/** Our marker with this code, a few centimetres wide. */
export function marker(code: number): Picture {
  const modules = markerModules(code);
  const size = 11;
  return {
    width: modules.length * size,
    height: modules.length * size,
    dark: (x, y) => modules[Math.floor(y / size)]![Math.floor(x / size)]!,
  };
}

/** The bar code of a label. A text with application identifiers becomes a GS1 code. */
export async function label(text: string, format: 'Code128' | 'DataMatrix' = 'Code128'): Promise<Picture> {
  const path = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
  await prepareZXingModule({
    overrides: { wasmBinary: readFileSync(path).buffer as ArrayBuffer },
    fireImmediately: true,
  });
  const { symbol } = await writeBarcode(text, {
    format,
    scale: 1,
    options: text.startsWith('(') ? 'gs1' : '',
  });
  const isLinear = format === 'Code128';
  const size = isLinear ? Math.floor((WIDTH - 80) / symbol.width) : 12;
  return {
    width: symbol.width * size,
    height: isLinear ? 120 : symbol.height * size,
    dark: (x, y) => {
      const row = isLinear ? 0 : Math.floor(y / size);
      return symbol.data[row * symbol.width + Math.floor(x / size)]! < 128;
    },
  };
}

/** How many frames show a picture, and then nothing. */
const [SHOWN, BLANK] = [6, 2];

/**
 * Writes a video for the fake camera, which shows the pictures one after another. Browsers repeat it.
 * @returns its duration in milliseconds
 */
export function film(path: string, pictures: readonly Picture[]): number {
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = (picture?: Picture): Buffer => {
    const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
    if (picture) {
      const [left, top] = [(WIDTH - picture.width) >> 1, (HEIGHT - picture.height) >> 1];
      for (let y = 0; y < picture.height; y += 1) {
        for (let x = 0; x < picture.width; x += 1) {
          if (picture.dark(x, y)) luma[(top + y) * WIDTH + left + x] = BLACK;
        }
      }
    }
    return Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  };
  const blank = frame();
  const frames = pictures.flatMap((picture) => [
    ...Array<Buffer>(SHOWN).fill(frame(picture)),
    ...Array<Buffer>(BLANK).fill(blank),
  ]);
  const head = `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`;
  writeFileSync(path, Buffer.concat([Buffer.from(head), ...frames]));
  return (frames.length / FRAMES_A_SECOND) * 1_000;
}
