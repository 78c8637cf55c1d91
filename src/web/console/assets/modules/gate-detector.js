/** Our markers, and what labels carry SSCCs in. */
const FORMATS = ['qr_code', 'code_128', 'data_matrix'];

/**
 * What reads codes from a picture, as `{text, isSquare}`, which is whether it is a QR code as markers are: the browser's own
 * reader where it knows all of these, else zxing, loaded only then.
 */
export async function detector() {
  return (await native()) ?? (await zxing());
}

async function native() {
  if (!('BarcodeDetector' in globalThis)) return undefined;
  try {
    const known = await BarcodeDetector.getSupportedFormats();
    if (!FORMATS.every((format) => known.includes(format))) return undefined;
    const reader = new BarcodeDetector({ formats: FORMATS });
    return async (canvas) =>
      (await reader.detect(canvas)).map(({ rawValue, format }) => ({
        text: rawValue,
        isSquare: format === 'qr_code',
      }));
  } catch {
    return undefined;
  }
}

async function zxing() {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader');
  await prepareZXingModule({
    overrides: { locateFile: () => '/assets/console/zxing/zxing_reader.wasm' },
    fireImmediately: true,
  });
  const options = { formats: ['QRCode', 'Code128', 'DataMatrix'], maxNumberOfSymbols: 8 };
  return async (canvas, context) => {
    const picture = context.getImageData(0, 0, canvas.width, canvas.height);
    const found = await readBarcodes(picture, options);
    return found
      .filter(({ isValid }) => isValid)
      .map(({ text, format }) => ({ text, isSquare: format === 'QRCode' }));
  };
}
