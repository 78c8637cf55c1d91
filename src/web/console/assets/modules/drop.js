// A file is imported as soon as it is chosen, or dropped anywhere on the page.
const input = () => document.querySelector('input[data-drop]');
const hasFile = (event) => input() !== null && event.dataTransfer?.types.includes('Files');

document.addEventListener('change', ({ target }) => {
  if (target.matches('input[data-drop]') && target.files.length > 0) target.form.requestSubmit();
});

let curtain = null;

function show(isShown) {
  curtain?.remove();
  curtain = null;
  if (!isShown) return;
  curtain = Object.assign(document.createElement('p'), {
    className: 'drop-here',
    textContent: input().dataset.drop,
  });
  document.body.append(curtain);
}

document.addEventListener('dragover', (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  if (!curtain) show(true);
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) show(false);
});
document.addEventListener('drop', (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  show(false);
  const { files } = event.dataTransfer;
  if (files.length === 0) return;
  // Another file would be lost: only the first is imported.
  const one = new DataTransfer();
  one.items.add(files[0]);
  input().files = one.files;
  input().form.requestSubmit();
});
// The page may come back from the browser's cache with the file still chosen.
addEventListener('pageshow', () => input()?.form.reset());
