import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, plural, one {# linha selecionada} other {# linhas selecionadas}}{pallets, plural, =0 {} one {, # palete} other {, # paletes}}',
  'palette.title': 'Comandos',
  'palette.placeholder': 'Vá para uma página ou expedição, ou escolha uma ação',
  'palette.actions': 'Nesta página',
  'palette.pages': 'Páginas',
  'palette.found': 'Encontrado',
  'palette.everywhere': 'Noutros sítios',
  'palette.search': 'Procurar «{text}»',
  'board.soundOn': 'Som: ligado',
  'board.soundOff': 'Som: desligado',
  'board.wakeOn': 'Manter o ecrã ligado: sim',
  'board.wakeOff': 'Manter o ecrã ligado: não',
  'board.gatesLate': '{count, plural, one {cais atrasado} other {cais atrasados}}',
  'board.wrongPallets': '{count, plural, one {palete errada} other {paletes erradas}}',
  'notice.on': 'Notificações: ligadas',
  'notice.off': 'Notificações: desligadas',
  'notice.blocked': 'Notificações: bloqueadas',
  'notice.whyBlocked': 'Permita as notificações no navegador.',
  'notice.none': 'Notificações: não possíveis',
  'notice.whyNone': 'Este navegador não pode mostrar notificações desta página.',
  'notice.afterQuiet':
    '{count, plural, one {# problema} many {# problemas} other {# problemas}} desde o início das horas de silêncio',
  'wall.page': 'Página {page, number} de {pages, number}',
};
