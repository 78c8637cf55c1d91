// Buttons that copy a text, and buttons that hand it to the device. A dialog may bring new ones at any time.
// A secret is shown once: its button copies the text beside it, so the page contains it only once.
const COPIED_MS = 2_000;

if (navigator.share) document.documentElement.dataset.shares = '';

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy], [data-share]');
  if (button?.dataset.copy !== undefined) copy(button);
  else if (button)
    navigator.share({ title: button.dataset.share, text: button.dataset.text }).catch(() => {});
});

async function copy(button) {
  const shown = button.closest(':has(code)').querySelector('code');
  // Select the text first: on plain http a page may not write to the clipboard.
  getSelection().selectAllChildren(shown);
  try {
    await navigator.clipboard.writeText(shown.textContent);
  } catch {
    return;
  }
  const label = button.textContent;
  if (label === button.dataset.copy) return;
  button.textContent = button.dataset.copy;
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}
