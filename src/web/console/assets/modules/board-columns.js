const gates = document.querySelector('.gates');

/** The width of the board and the heights of its cards change with the window and with texts. */
const observer = new ResizeObserver(() => requestAnimationFrame(placeCards));
observer.observe(gates);

/** The number of columns that fit. */
function columnsOf() {
  for (const card of gates.children) card.style.gridColumn = '';
  const { gridTemplateColumns } = getComputedStyle(gates);
  return gridTemplateColumns.split(' ').filter((width) => width !== '0px').length;
}

/**
 * Place each card below the card above it, so that a tall card leaves no gap beside it. A card keeps its column. Without
 * scripts, each row begins below its tallest card. The cards stay placed while they are measured, because otherwise the
 * page moves.
 */
export function placeCards() {
  const columns = columnsOf();
  const gap = Number.parseFloat(getComputedStyle(gates).columnGap);
  const heights = [...gates.children].map((card) => card.getBoundingClientRect().height);
  gates.classList.add('placed');
  for (const [index, card] of [...gates.children].entries()) {
    card.style.gridColumn = String((index % columns) + 1);
    card.style.gridRow = `span ${Math.ceil(heights[index] + gap)}`;
    observer.observe(card);
  }
}
