// Photos become smaller before they are sent. The picture is drawn again, so its metadata, such as the location, is gone.

/** The longer side of a sent photo, in pixels. */
const SIDE = 1_600;
const QUALITY = 0.8;

/**
 * A photo as JPEG with at most 1,600 pixels on its longer side, without metadata. If the browser cannot read the file,
 * the file is returned unchanged, and the service decides.
 */
export async function smallerPhoto(file) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return file;
  const scale = Math.min(1, SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  return blob ? new File([blob], 'photo.jpg', { type: 'image/jpeg' }) : file;
}
