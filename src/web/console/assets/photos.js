// Makes a chosen photo smaller before its form is sent. Without this script, the form sends the file unchanged.
import { smallerPhoto } from './modules/photo.js';

document.addEventListener('change', async ({ target }) => {
  if (!target.matches?.('.photos input[type="file"]') || target.files.length === 0) return;
  const [chosen] = target.files;
  const submit = target.form.querySelector('[type="submit"]');
  submit.disabled = true;
  try {
    const made = new DataTransfer();
    made.items.add(await smallerPhoto(chosen));
    // The user may have chosen another file in the meantime.
    if (target.files[0] === chosen) target.files = made.files;
  } finally {
    submit.disabled = false;
  }
});
