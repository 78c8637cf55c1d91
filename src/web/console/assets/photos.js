// Makes a chosen photo smaller before its form is sent, and sends its thumbnail with it. Without this script, the form
// sends the file unchanged.
import { smallerPhoto } from './modules/photo.js';

const FIELD = '.photos input[type="file"]';
/** The photo that was made last, and its thumbnail. */
let made;

document.addEventListener('change', async ({ target }) => {
  if (!target.matches?.(FIELD) || target.files.length === 0) return;
  const [chosen] = target.files;
  const submit = target.form.querySelector('[type="submit"]');
  submit.disabled = true;
  try {
    const smaller = await smallerPhoto(chosen);
    // The user may have chosen another file in the meantime.
    if (!smaller || target.files[0] !== chosen) return;
    const list = new DataTransfer();
    list.items.add(smaller.photo);
    target.files = list.files;
    made = { photo: target.files[0], thumbnail: smaller.thumbnail };
  } finally {
    submit.disabled = false;
  }
});

document.addEventListener('formdata', ({ target, formData }) => {
  const photo = target.querySelector(FIELD)?.files[0];
  if (photo && photo === made?.photo && made.thumbnail) formData.set('thumbnail', made.thumbnail);
});
