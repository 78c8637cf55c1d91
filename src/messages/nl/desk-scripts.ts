import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, number} geselecteerd{pallets, plural, =0 {} one {, # pallet} other {, # pallets}}',
  'palette.title': 'Opdrachten',
  'palette.placeholder': 'Pagina, zending of actie',
  'palette.actions': 'Op deze pagina',
  'palette.pages': 'Pagina’s',
  'palette.found': 'Gevonden',
  'palette.everywhere': 'Overal',
  'palette.search': 'Zoeken naar “{text}”',
  'board.soundOn': 'Geluid: aan',
  'board.soundOff': 'Geluid: uit',
  'board.wakeOn': 'Wakker blijven: aan',
  'board.wakeOff': 'Wakker blijven: uit',
  'notice.on': 'Meldingen op het scherm: aan',
  'notice.off': 'Meldingen op het scherm: uit',
  'notice.blocked': 'Meldingen op het scherm: geblokkeerd in de browser',
  'notice.none': 'Meldingen op het scherm: niet mogelijk in deze browser',
  'notice.afterQuiet':
    '{count, plural, one {# probleem} other {# problemen}} sinds het begin van de stille uren',
  'wall.page': 'Pagina {page, number} van {pages, number}',
};
