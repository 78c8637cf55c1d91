/** The reader of codes for browsers without their own. It is large, so the camera page loads it on demand. */
export { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
