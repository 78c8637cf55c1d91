import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, number} geselecteerd{pallets, plural, =0 {} one {, # pallet} other {, # pallets}}',
  'palette.title': 'Opdrachten',
  'palette.placeholder': 'Ga naar een pagina of zending, of kies een actie',
  'palette.actions': 'Op deze pagina',
  'palette.pages': 'Pagina’s',
  'palette.found': 'Gevonden',
  'palette.everywhere': 'Elders',
  'palette.search': 'Zoeken naar “{text}”',
  'board.soundOn': 'Geluid: aan',
  'board.soundOff': 'Geluid: uit',
  'board.wakeOn': 'Scherm aan houden: aan',
  'board.wakeOff': 'Scherm aan houden: uit',
  'board.gatesLate': '{count, plural, one {dock te laat} other {docks te laat}}',
  'board.wrongPallets': '{count, plural, one {verkeerde pallet} other {verkeerde pallets}}',
  'notice.on': 'Meldingen op het scherm: aan',
  'notice.off': 'Meldingen op het scherm: uit',
  'notice.blocked': 'Meldingen op het scherm: geblokkeerd',
  'notice.whyBlocked': 'Sta meldingen toe in de browser.',
  'notice.none': 'Meldingen op het scherm: niet mogelijk',
  'notice.whyNone': 'Deze browser kan geen meldingen van deze pagina tonen.',
  'notice.afterQuiet':
    '{count, plural, one {# probleem} other {# problemen}} sinds het begin van de stille uren',
  'wall.page': 'Pagina {page, number} van {pages, number}',
};
