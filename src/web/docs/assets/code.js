// Puts a copy button on each block of code, except output. The script `copy.js` handles the buttons.
for (const block of document.querySelectorAll('main pre:not(:has(> .language-text))')) {
  const frame = Object.assign(document.createElement('div'), { className: 'code' });
  const button = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Copy' });
  button.dataset.copy = 'Copied';
  block.replaceWith(frame);
  frame.append(block, button);
}
