import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, number} selecionados{pallets, plural, =0 {} one {, # palete} many {, # paletes} other {, # paletes}}',
  'palette.title': 'Comandos',
  'palette.placeholder': 'Página, expedição ou ação',
  'palette.actions': 'Nesta página',
  'palette.pages': 'Páginas',
  'palette.found': 'Encontrado',
  'palette.everywhere': 'Em todo o lado',
  'palette.search': 'Procurar “{text}”',
  'board.soundOn': 'Som: sim',
  'board.soundOff': 'Som: não',
  'board.wakeOn': 'Ecrã ligado: sim',
  'board.wakeOff': 'Ecrã ligado: não',
  'notice.on': 'Notificações: sim',
  'notice.off': 'Notificações: não',
  'notice.blocked': 'Notificações: bloqueadas no navegador',
  'notice.none': 'Notificações: impossíveis neste navegador',
  'notice.afterQuiet':
    '{count, plural, one {# problema} many {# problemas} other {# problemas}} desde o início das horas de silêncio',
  'wall.page': 'Página {page, number} de {pages, number}',
};
