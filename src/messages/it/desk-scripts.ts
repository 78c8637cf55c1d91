import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, number} selezionati{pallets, plural, =0 {} one {, # pallet} many {, # pallet} other {, # pallet}}',
  'palette.title': 'Comandi',
  'palette.placeholder': 'Pagina, spedizione o azione',
  'palette.actions': 'In questa pagina',
  'palette.pages': 'Pagine',
  'palette.found': 'Trovati',
  'palette.everywhere': 'Ovunque',
  'palette.search': 'Cerca “{text}”',
  'board.soundOn': 'Suono: sì',
  'board.soundOff': 'Suono: no',
  'board.wakeOn': 'Schermo acceso: sì',
  'board.wakeOff': 'Schermo acceso: no',
  'notice.on': 'Notifiche: sì',
  'notice.off': 'Notifiche: no',
  'notice.blocked': 'Notifiche: bloccate nel browser',
  'notice.none': 'Notifiche: non possibili in questo browser',
  'notice.afterQuiet':
    '{count, plural, one {# problema} many {# problemi} other {# problemi}} dall’inizio delle ore di silenzio',
  'wall.page': 'Pagina {page, number} di {pages, number}',
};
