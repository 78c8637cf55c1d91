// A file is read into the text that it stands for: the form sends one text, whoever wrote it.
for (const input of document.querySelectorAll('input[type=file][data-into]')) {
  input.closest('[hidden]').hidden = false;
  input.addEventListener('change', async () => {
    const [file] = input.files;
    if (!file) return;
    // What a spreadsheet saves as CSV is in UTF-8 or, with old ones, in Windows-1252.
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
