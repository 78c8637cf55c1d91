// A secret is shown once: its button copies what stands beside it, so that the page has it in one place only.
for (const button of document.querySelectorAll('[data-copy]')) {
  const shown = button.parentElement.querySelector('code');
  const said = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    // The text is chosen in any case: over plain http no page may write to the clipboard.
    getSelection().selectAllChildren(shown);
    try {
      await navigator.clipboard.writeText(shown.textContent);
    } catch {
      return;
    }
    button.textContent = button.dataset.copy;
    setTimeout(() => {
      button.textContent = said;
    }, 2_000);
  });
}
