// Read a chosen file into the text field. The form sends one text, whether it was typed or read.
for (const input of document.querySelectorAll('input[type=file][data-into]')) {
  input.closest('[hidden]').hidden = false;
  input.addEventListener('change', async () => {
    const [file] = input.files;
    if (!file) return;
    // Spreadsheets save CSV in UTF-8. Old ones use Windows-1252.
    const bytes = await file.arrayBuffer();
    const into = document.getElementById(input.dataset.into);
    try {
      into.value = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      into.value = new TextDecoder('windows-1252').decode(bytes);
    }
    into.focus();
  });
}
