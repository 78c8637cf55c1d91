import type { lists as english } from '../en/lists.ts';
import type { Translated } from '../en/translated.ts';

export const lists: Translated<typeof english> = {
  'desk.gate': 'Quai',
  'desk.noneYet': 'Aucun pour l’instant',
  'desk.noneIfEmpty': 'Laisser vide pour aucun.',
  'make.manifest': 'Nouvelle liste de chargement',
  'make.toLoad': 'Palettes à charger',
  'make.manifestId': 'Numéro de la liste de chargement',
  'make.fromFile': 'Depuis un fichier (XLSX, CSV, TSV)',
  'make.fileHint': 'Le fichier choisi remplace la liste ci-dessous.',
  'make.palletsHint':
    'Une par ligne, ou un tableau avec un en-tête tel que SSCC. {count, number} au maximum.',
  'make.look': 'Aperçu',
  'make.manifestPlanned': '{name} est planifiée.',
  'make.tooLong': 'Cette liste a plus de {most} lignes. Raccourcissez-la.',
  'make.tooManyTexts':
    'La colonne des palettes a plus de {most} textes différents. Choisissez une autre colonne ou raccourcissez la liste.',
  'make.tooMany': 'La liste a {count} palettes. Une liste de chargement en contient {most} au maximum.',
  'make.tooLarge': 'Cette liste a plus de {most} Mo de texte. Gardez seulement la colonne des palettes.',
  'make.noLine': 'Aucune ligne de la liste ne contient de palette.',
  'make.line': 'Ligne {line}',
  'make.lineOf': 'Ligne {line} : {reason}',
  'make.question':
    'Créer {name} avec {count, plural, one {{pallets} palette} many {{pallets} palettes} other {{pallets} palettes}} ?',
  'make.badLines': 'Lignes erronées',
  'make.nothingLoaded': 'La liste de chargement sera planifiée. Rien n’est encore chargé.',
  'make.leftOut': 'Les lignes erronées seront omises.',
  'make.create': 'Créer',
  'make.createWithout':
    'Créer sans {count, plural, one {# ligne erronée} many {# lignes erronées} other {# lignes erronées}}',
  'make.cancel': 'Retour',
  'make.column': 'Colonne des palettes',
  'make.columnAt': 'Colonne {number}',
  'make.columnNamed': 'Colonne {number} : {name}',
  'make.wholeLine': 'La ligne entière',
  'make.lookAgain': 'Aperçu de cette colonne',
  'make.headingLine': 'La ligne {line} est l’en-tête : {text}',
  'make.taken': 'Les palettes sont dans la colonne {number}, « {name} ».',
  'make.takenNumber': 'Les palettes sont dans la colonne {number}. Elle n’a pas d’en-tête.',
  'make.takenLine': 'Chaque ligne est une palette.',
  'make.sheet':
    'Seule la feuille « {sheet} » est lue. {count, plural, one {# autre feuille est ignorée} many {# autres feuilles sont ignorées} other {# autres feuilles sont ignorées}}.',
  'make.unreadable': 'Ce fichier n’est pas une liste. Choisissez un fichier XLSX, CSV, TSV ou texte.',
  'make.oldWorkbook':
    'Ce classeur est ancien ou a un mot de passe. Enregistrez-le en XLSX sans mot de passe.',
  'make.largeWorkbook': 'Ce classeur est trop grand. Gardez seulement la feuille et la colonne des palettes.',
  'line.quote': 'Il manque un guillemet dans cette ligne.',
  'line.none': 'La ligne ne contient pas de palette.',
  'line.long': 'L’identifiant de la palette a plus de 255 caractères.',
  'line.text': 'L’identifiant de la palette contient des caractères qui ne peuvent pas être enregistrés.',
  'line.check': 'La clé de contrôle de ce SSCC est fausse.',
  'line.again': 'Elle est déjà à la ligne {line}.',
  'line.heading': 'C’est un en-tête.',
  'line.above': 'Cette ligne est au-dessus de l’en-tête.',
  'line.shortened':
    'Un tableur a raccourci ce nombre. Mettez la colonne au format texte et enregistrez le fichier de nouveau.',
  'line.error': 'Le tableur affiche une erreur dans cette cellule.',
  'line.several':
    'Plusieurs palettes correspondent : {pallets}. Saisissez exactement l’identifiant de l’une d’elles.',
  'line.keyboard': 'Ceci a été saisi pour un autre clavier. Réglez la disposition du clavier du scanner.',
  'make.columnFound': 'Selon l’en-tête ou le contenu',
};
