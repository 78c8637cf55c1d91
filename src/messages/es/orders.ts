import type { orders as english } from '../en/orders.ts';
import type { Translated } from '../en/translated.ts';

export const orders: Translated<typeof english> = {
  'orders.column': 'Columna de los pedidos',
  'orders.oneManifest': 'Ninguna: una lista de carga',
  'orders.shipmentColumn': 'Columna de los envíos',
  'orders.noShipments': 'Ninguna: sin envíos',
  'orders.fieldColumn': 'Columna: {field}',
  'orders.noField': 'Ninguna',
  'orders.question': '¿Crear {manifests, plural, one {# lista de carga} other {# listas de carga}}?',
  'orders.manifests': 'Listas de carga',
  'orders.shipments': 'Envíos',
  'orders.existing': 'Ya existen',
  'orders.existingHint': 'Las listas de carga que ya existen se omiten.',
  'orders.allExist': 'Todas las listas de carga de esta lista ya existen. No se creará nada.',
  'orders.order': '{order}: {count, plural, one {# palé} other {# palés}}',
  'orders.planned': 'Las listas de carga quedarán planificadas. Aún no se carga nada.',
  'orders.noneLeft': 'No se puede crear ninguna lista de carga. Revise las columnas y las líneas erróneas.',
  'orders.idOrColumn': 'Escriba el identificador de la lista de carga o elija la columna de los pedidos.',
  'orders.tooManyDates': 'La lista tiene más de {most} fechas y horas distintas. Acórtela.',
  'orders.tooMany': 'La lista tiene {count} pedidos. Se crean como máximo {most} listas de carga a la vez.',
  'orders.done': 'Planificado: {manifests, plural, one {# lista de carga} other {# listas de carga}}.',
  'orders.doneShipments':
    'Planificado: {manifests, plural, one {# lista de carga} other {# listas de carga}}, {shipments, plural, one {# envío} other {# envíos}}.',
  'orders.better':
    'Esta columna no contiene ningún SSCC, pero la columna {number} sí. Elija la columna {number} para los palés.',
  'orders.firstRows': 'Primeras filas',
  'orders.isOrder': 'Pedido',
  'orders.isShipment': 'Envío',
  'orders.fieldsNeed': 'El transportista, la salida y otros campos solo se leen con una columna de envíos.',
  'orders.drop': 'Importar un archivo',
  'orders.dropHere': 'Suelte el archivo aquí para ver la vista previa.',
  'orders.idHint':
    'Déjelo vacío si la lista tiene una columna de pedidos. Cada pedido será una lista de carga.',
  'orders.several':
    'La columna {number} contiene {count} pedidos. Todos los palés irán en una lista de carga.',
  'orders.look': 'Vista previa de estas columnas',
  'column.PLANNED_DEPARTURE': 'Salida',
  'column.CARRIER': 'Transportista',
  'column.VEHICLE': 'Vehículo',
  'column.SEAL': 'Precinto',
  'line.noOrder': 'La línea no nombra ningún pedido.',
  'line.badOrder':
    'El identificador del pedido es demasiado largo o contiene caracteres que no se pueden guardar.',
  'line.badShipment':
    'El identificador del envío es demasiado largo o contiene caracteres que no se pueden guardar.',
  'line.otherShipment': 'El pedido {order} tiene otro envío en la línea {line}.',
  'line.otherValue': '{field} difiere de la línea {line} del mismo envío.',
  'line.shipmentExists': 'El envío {shipment} ya existe.',
  'moment.none': '{field} no es una fecha con hora.',
  'moment.noTime': '{field} no tiene hora.',
  'moment.ambiguous': '{field} no está claro: se pueden confundir día y mes. Escriba primero el año.',
  'line.badValue': '{field} no se puede guardar.',
};
