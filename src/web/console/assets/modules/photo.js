// Photos become smaller before they are sent. The picture is drawn again, so its metadata, such as the location, is gone.

/** The longer side of a sent photo, in pixels, and its quality. */
const SIDE = 1_600;
const QUALITY = 0.8;
/** The longer side of a thumbnail in pixels. The service drops a thumbnail of more bytes than this. */
const THUMBNAIL_SIDE = 400;
const THUMBNAIL_BYTES = 48 * 1024;
/** A thumbnail of a picture with many details is drawn again with the next quality. */
const THUMBNAIL_QUALITIES = [0.7, 0.5, 0.3];

/**
 * A photo as JPEG with at most 1,600 pixels on its longer side, without metadata, and its thumbnail. Null if the browser
 * cannot read the file.
 */
export async function smallerPhoto(file) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return null;
  const canvas = drawn(bitmap, SIDE);
  bitmap.close();
  const photo = await jpegOf(canvas, QUALITY);
  if (!photo) return null;
  return {
    photo: new File([photo], 'photo.jpg', { type: 'image/jpeg' }),
    thumbnail: await thumbnailOf(canvas),
  };
}

/** A picture on a canvas, with at most so many pixels on its longer side. */
function drawn(picture, side) {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  // JPEG has no transparency.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The thumbnail of a photo. Undefined if it is too large in each quality: then the photo is shown instead. */
async function thumbnailOf(photo) {
  const canvas = drawn(photo, THUMBNAIL_SIDE);
  for (const quality of THUMBNAIL_QUALITIES) {
    const thumbnail = await jpegOf(canvas, quality);
    if (thumbnail && thumbnail.size <= THUMBNAIL_BYTES) return thumbnail;
  }
}

const jpegOf = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
