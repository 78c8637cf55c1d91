import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, plural, one {# riga selezionata} other {# righe selezionate}}{pallets, plural, =0 {} one {, # pallet} other {, # pallet}}',
  'palette.title': 'Comandi',
  'palette.placeholder': 'Vai a una pagina o spedizione, o scegli un’azione',
  'palette.actions': 'In questa pagina',
  'palette.pages': 'Pagine',
  'palette.found': 'Trovati',
  'palette.everywhere': 'Altrove',
  'palette.search': 'Cerca «{text}»',
  'board.soundOn': 'Suono: attivo',
  'board.soundOff': 'Suono: spento',
  'board.wakeOn': 'Schermo acceso: sì',
  'board.wakeOff': 'Schermo acceso: no',
  'board.gatesLate': '{count, plural, one {baia in ritardo} other {baie in ritardo}}',
  'board.wrongPallets': '{count, plural, one {pallet sbagliato} other {pallet sbagliati}}',
  'notice.on': 'Notifiche: attive',
  'notice.off': 'Notifiche: disattivate',
  'notice.blocked': 'Notifiche: bloccate',
  'notice.whyBlocked': 'Consenti le notifiche nel browser.',
  'notice.none': 'Notifiche: non possibili',
  'notice.whyNone': 'Questo browser non può mostrare notifiche di questa pagina.',
  'notice.afterQuiet':
    '{count, plural, one {# problema} many {# problemi} other {# problemi}} dall’inizio delle ore di silenzio',
  'wall.page': 'Pagina {page, number} di {pages, number}',
};
