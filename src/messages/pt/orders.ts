import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Coluna das encomendas',
  'orders.oneManifest': 'Nenhuma: uma lista de carga',
  'orders.shipmentColumn': 'Coluna das expedições',
  'orders.noShipments': 'Nenhuma: sem expedições',
  'orders.fieldColumn': 'Coluna: {field}',
  'orders.noField': 'Nenhuma',
  'orders.question': 'Criar {manifests, plural, one {# lista de carga} other {# listas de carga}}?',
  'orders.manifests': 'Listas de carga',
  'orders.shipments': 'Expedições',
  'orders.existing': 'Já existem',
  'orders.existingHint': 'As listas de carga que já existem são omitidas.',
  'orders.allExist': 'Todas as listas de carga desta lista já existem. Nada será criado.',
  'orders.order': '{order}: {count, plural, one {# palete} other {# paletes}}',
  'orders.planned': 'As listas de carga ficarão planeadas. Ainda nada está carregado.',
  'orders.noneLeft': 'Nenhuma lista de carga pode ser criada. Verifique as colunas e as linhas erradas.',
  'orders.idOrColumn': 'Escreva o id da lista de carga ou escolha a coluna das encomendas.',
  'orders.tooManyDates': 'A lista tem mais de {most} datas e horas diferentes. Encurte-a.',
  'orders.tooMany': 'A lista tem {count} encomendas. Criam-se no máximo {most} listas de carga de cada vez.',
  'orders.done': 'Planeado: {manifests, plural, one {# lista de carga} other {# listas de carga}}.',
  'orders.doneShipments':
    'Planeado: {manifests, plural, one {# lista de carga} other {# listas de carga}}, {shipments, plural, one {# expedição} other {# expedições}}.',
  'orders.better':
    'Esta coluna não contém nenhum SSCC, mas a coluna {number} contém. Escolha a coluna {number} para as paletes.',
  'orders.firstRows': 'Primeiras linhas',
  'orders.isOrder': 'Encomenda',
  'orders.isShipment': 'Expedição',
  'orders.fieldsNeed':
    'A transportadora, a partida e outros campos só são lidos com uma coluna de expedições.',
  'orders.drop': 'Importar um ficheiro',
  'orders.dropHere': 'Largue aqui o ficheiro para o pré-visualizar.',
  'orders.idHint':
    'Deixe vazio se a lista tiver uma coluna de encomendas. Cada encomenda passa a ser uma lista de carga.',
  'orders.several':
    'A coluna {number} contém {count} encomendas. Todas as paletes ficam numa só lista de carga.',
  'orders.look': 'Pré-visualizar estas colunas',
  'column.PLANNED_DEPARTURE': 'Partida',
  'column.CARRIER': 'Transportadora',
  'column.VEHICLE': 'Veículo',
  'column.SEAL': 'Selo',
  'line.noOrder': 'A linha não indica nenhuma encomenda.',
  'line.badOrder': 'O id da encomenda é demasiado longo ou contém caracteres que não podem ser guardados.',
  'line.badShipment': 'O id da expedição é demasiado longo ou contém caracteres que não podem ser guardados.',
  'line.otherShipment': 'A encomenda {order} tem outra expedição na linha {line}.',
  'line.otherValue': '{field} difere da linha {line} da mesma expedição.',
  'line.shipmentExists': 'A expedição {shipment} já existe.',
  'moment.none': '{field} não é uma data com hora.',
  'moment.noTime': '{field} não tem hora.',
  'moment.ambiguous': '{field} não é claro: o dia e o mês podem ser confundidos. Escreva primeiro o ano.',
  'line.badValue': '{field} não pode ser guardado.',
};
