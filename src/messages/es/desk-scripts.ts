import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, number} seleccionados{pallets, plural, =0 {} one {, # palé} many {, # palés} other {, # palés}}',
  'palette.title': 'Comandos',
  'palette.placeholder': 'Página, envío o acción',
  'palette.actions': 'En esta página',
  'palette.pages': 'Páginas',
  'palette.found': 'Encontrado',
  'palette.everywhere': 'En todas partes',
  'palette.search': 'Buscar «{text}»',
  'board.soundOn': 'Sonido: sí',
  'board.soundOff': 'Sonido: no',
  'board.wakeOn': 'Pantalla activa: sí',
  'board.wakeOff': 'Pantalla activa: no',
  'notice.on': 'Notificaciones: sí',
  'notice.off': 'Notificaciones: no',
  'notice.blocked': 'Notificaciones: bloqueadas en el navegador',
  'notice.none': 'Notificaciones: no disponibles en este navegador',
  'notice.afterQuiet':
    '{count, plural, one {# problema} many {# problemas} other {# problemas}} desde el inicio de las horas de silencio',
  'wall.page': 'Página {page, number} de {pages, number}',
};
