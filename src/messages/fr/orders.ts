import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Colonne des commandes',
  'orders.oneManifest': 'Aucune : une liste de chargement',
  'orders.shipmentColumn': 'Colonne des expéditions',
  'orders.noShipments': 'Aucune : pas d’expédition',
  'orders.fieldColumn': 'Colonne : {field}',
  'orders.noField': 'Aucune',
  'orders.question':
    'Créer {manifests, plural, one {# liste de chargement} other {# listes de chargement}} ?',
  'orders.manifests': 'Listes de chargement',
  'orders.shipments': 'Expéditions',
  'orders.existing': 'Existent déjà',
  'orders.existingHint': 'Les listes de chargement qui existent déjà sont ignorées.',
  'orders.allExist': 'Toutes les listes de chargement existent déjà. Rien ne sera créé.',
  'orders.order': '{order} : {count, plural, one {# palette} other {# palettes}}',
  'orders.planned': 'Les listes de chargement seront planifiées. Rien n’est encore chargé.',
  'orders.noneLeft':
    'Aucune liste de chargement ne peut être créée. Vérifiez les colonnes et les lignes erronées.',
  'orders.idOrColumn':
    'Saisissez l’identifiant de la liste de chargement ou choisissez la colonne des commandes.',
  'orders.tooManyDates': 'La liste a plus de {most} dates et heures différentes. Raccourcissez-la.',
  'orders.tooMany':
    'La liste compte {count} commandes. Au plus {most} listes de chargement sont créées à la fois.',
  'orders.done':
    'Planifié : {manifests, plural, one {# liste de chargement} other {# listes de chargement}}.',
  'orders.doneShipments':
    'Planifié : {manifests, plural, one {# liste de chargement} other {# listes de chargement}}, {shipments, plural, one {# expédition} other {# expéditions}}.',
  'orders.better':
    'Cette colonne ne contient aucun SSCC, mais la colonne {number} en contient. Choisissez la colonne {number} pour les palettes.',
  'orders.firstRows': 'Premières lignes',
  'orders.isOrder': 'Commande',
  'orders.isShipment': 'Expédition',
  'orders.fieldsNeed':
    'Le transporteur, le départ et les autres champs ne sont lus qu’avec une colonne des expéditions.',
  'orders.drop': 'Importer un fichier',
  'orders.dropHere': 'Déposez le fichier ici pour voir l’aperçu.',
  'orders.idHint':
    'Laissez vide si la liste a une colonne des commandes. Chaque commande devient une liste de chargement.',
  'orders.several':
    'La colonne {number} contient {count} commandes. Toutes les palettes iront dans une seule liste de chargement.',
  'orders.look': 'Aperçu de ces colonnes',
  'column.PLANNED_DEPARTURE': 'Départ',
  'column.CARRIER': 'Transporteur',
  'column.VEHICLE': 'Véhicule',
  'column.SEAL': 'Scellé',
  'line.noOrder': 'La ligne n’indique aucune commande.',
  'line.badOrder':
    'L’identifiant de la commande est trop long ou contient des caractères qui ne peuvent pas être enregistrés.',
  'line.badShipment':
    'L’identifiant de l’expédition est trop long ou contient des caractères qui ne peuvent pas être enregistrés.',
  'line.otherShipment': 'La commande {order} a une autre expédition à la ligne {line}.',
  'line.otherValue': '{field} diffère de la ligne {line} de la même expédition.',
  'line.shipmentExists': 'L’expédition {shipment} existe déjà.',
  'moment.none': '{field} n’est pas une date avec une heure.',
  'moment.noTime': '{field} n’a pas d’heure.',
  'moment.ambiguous': '{field} est ambigu : jour et mois peuvent être confondus. Écrivez l’année en premier.',
  'line.badValue': '{field} ne peut pas être enregistré.',
};
