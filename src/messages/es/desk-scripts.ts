import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, plural, one {# seleccionado} other {# seleccionados}}{pallets, plural, =0 {} one {, # palé} other {, # palés}}',
  'palette.title': 'Comandos',
  'palette.placeholder': 'Busque una página o un envío, o elija una acción',
  'palette.actions': 'En esta página',
  'palette.pages': 'Páginas',
  'palette.found': 'Encontrado',
  'palette.everywhere': 'En otro lugar',
  'palette.search': 'Buscar «{text}»',
  'board.soundOn': 'Sonido: sí',
  'board.soundOff': 'Sonido: no',
  'board.wakeOn': 'Pantalla activa: sí',
  'board.wakeOff': 'Pantalla activa: no',
  'board.gatesLate': '{count, plural, one {muelle con retraso} other {muelles con retraso}}',
  'board.wrongPallets': '{count, plural, one {palé equivocado} other {palés equivocados}}',
  'notice.on': 'Notificaciones: sí',
  'notice.off': 'Notificaciones: no',
  'notice.blocked': 'Notificaciones: bloqueadas',
  'notice.whyBlocked': 'Permita las notificaciones en el navegador.',
  'notice.none': 'Notificaciones: no posibles',
  'notice.whyNone': 'Este navegador no puede mostrar notificaciones de esta página.',
  'notice.afterQuiet':
    '{count, plural, one {# problema} many {# problemas} other {# problemas}} desde el inicio de las horas de silencio',
  'wall.page': 'Página {page, number} de {pages, number}',
};
