// A secret is shown once. Its button copies the text beside it, so the page contains it only once.
for (const button of document.querySelectorAll('[data-copy]')) {
  const shown = button.parentElement.querySelector('code');
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    // Select the text first: on plain http a page may not write to the clipboard.
    getSelection().selectAllChildren(shown);
    try {
      await navigator.clipboard.writeText(shown.textContent);
    } catch {
      return;
    }
    button.textContent = button.dataset.copy;
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  });
}
