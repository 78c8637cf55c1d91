import type { deskScripts as english } from '../en/desk-scripts.ts';
import type { Translated } from '../en/translated.ts';

export const deskScripts: Translated<typeof english> = {
  'list.selected':
    '{count, plural, one {# sélectionnée} other {# sélectionnées}}{pallets, plural, =0 {} one {, # palette} other {, # palettes}}',
  'palette.title': 'Commandes',
  'palette.placeholder': 'Aller à une page ou à une expédition, ou choisir une action',
  'palette.actions': 'Sur cette page',
  'palette.pages': 'Pages',
  'palette.found': 'Trouvé',
  'palette.everywhere': 'Ailleurs',
  'palette.search': 'Rechercher « {text} »',
  'board.soundOn': 'Son : activé',
  'board.soundOff': 'Son : coupé',
  'board.wakeOn': 'Écran toujours allumé : oui',
  'board.wakeOff': 'Écran toujours allumé : non',
  'board.gatesLate': '{count, plural, one {quai en retard} other {quais en retard}}',
  'board.wrongPallets': '{count, plural, one {mauvaise palette} other {mauvaises palettes}}',
  'notice.on': 'Notifications : activées',
  'notice.off': 'Notifications : désactivées',
  'notice.blocked': 'Notifications : bloquées',
  'notice.whyBlocked': 'Autorisez les notifications dans le navigateur.',
  'notice.none': 'Notifications : impossibles',
  'notice.whyNone': 'Ce navigateur ne peut pas afficher de notifications de cette page.',
  'notice.afterQuiet':
    '{count, plural, one {# problème} many {# problèmes} other {# problèmes}} depuis le début des heures calmes',
  'wall.page': 'Page {page, number} sur {pages, number}',
};
