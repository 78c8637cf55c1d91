import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, number} ausgewählt{pallets, plural, =0 {} one {, # Palette} other {, # Paletten}}',
  'palette.title': 'Befehle',
  'palette.placeholder': 'Seite, Sendung oder Aktion',
  'palette.actions': 'Auf dieser Seite',
  'palette.pages': 'Seiten',
  'palette.found': 'Gefunden',
  'palette.everywhere': 'Anderswo',
  'palette.search': 'Nach „{text}“ suchen',
  'board.soundOn': 'Ton: an',
  'board.soundOff': 'Ton: aus',
  'board.wakeOn': 'Bildschirm anlassen: an',
  'board.wakeOff': 'Bildschirm anlassen: aus',
  'board.gatesLate': '{count, plural, one {Tor verspätet} other {Tore verspätet}}',
  'board.wrongPallets': '{count, plural, one {falsche Palette} other {falsche Paletten}}',
  'notice.on': 'Benachrichtigungen: an',
  'notice.off': 'Benachrichtigungen: aus',
  'notice.blocked': 'Benachrichtigungen: blockiert',
  'notice.whyBlocked': 'Erlauben Sie Benachrichtigungen im Browser.',
  'notice.none': 'Benachrichtigungen: nicht möglich',
  'notice.whyNone': 'Dieser Browser kann keine Benachrichtigungen dieser Seite anzeigen.',
  'notice.afterQuiet': '{count, plural, one {# Problem} other {# Probleme}} seit Beginn der Ruhezeit',
  'wall.page': 'Seite {page, number} von {pages, number}',
};
