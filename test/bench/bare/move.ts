import { type LogEntries, PADDING } from './dispatch.ts';

/** A shipment whose status changes: its manifests, and the number of pallets that are not loaded. */
export interface MovedShipment {
  uuid: string;
  members: { uuid: string }[];
  missing: number;
}

/** Read a shipment, its manifests and its pallets, in one round trip. */
export async function readShipment(
  session: D1DatabaseSession,
  organization: string,
  uuid: string,
): Promise<MovedShipment> {
  const [shipments, members, pallets] = await session.batch([
    session
      .prepare('SELECT uuid, status FROM shipment WHERE uuid = ?2 AND organization = ?1')
      .bind(organization, uuid),
    session
      .prepare('SELECT uuid, status FROM manifest WHERE organization = ?1 AND shipment_uuid = ?2')
      .bind(organization, uuid),
    session
      .prepare(
        `SELECT count(*) AS missing FROM loading_record WHERE organization = ?1 AND loading_status <> 'LOADED'
          AND manifest_uuid IN (SELECT uuid FROM manifest WHERE organization = ?1 AND shipment_uuid = ?2)`,
      )
      .bind(organization, uuid),
  ]);
  if (shipments!.results.length === 0) throw new Error(`no shipment ${uuid}`);
  const [{ missing }] = pallets!.results as [{ missing: number }];
  return { uuid, members: members!.results as { uuid: string }[], missing };
}

/** Whether a change of status raises an alert, because the shipment leaves without all of its pallets. */
const isShort = ({ missing }: MovedShipment, status: string): boolean =>
  status === 'COMPLETED' && missing > 0;

/** The statements for a change of status of a shipment and its manifests, without log, events and answer. */
export function moveWrites(
  session: D1DatabaseSession,
  organization: string,
  shipment: MovedShipment,
  status: string,
  now: number,
) {
  const { uuid, missing } = shipment;
  const date = status === 'IN_PROGRESS' ? 'activate_date' : 'close_date';
  return [
    ...(status === 'IN_PROGRESS'
      ? []
      : [
          session
            .prepare(
              `UPDATE loading_record SET track_uuid = (SELECT t.uuid FROM track t
                  WHERE t.organization = ?1 AND t.wms_id = loading_record.wms_id)
                WHERE organization = ?1 AND manifest_uuid IN
                  (SELECT uuid FROM manifest WHERE organization = ?1 AND shipment_uuid = ?2)`,
            )
            .bind(organization, uuid),
        ]),
    session
      .prepare(
        `UPDATE manifest SET status = ?3, ${date} = ?4, update_date = ?4
          WHERE organization = ?1 AND shipment_uuid = ?2`,
      )
      .bind(organization, uuid, status, now),
    session
      .prepare(
        `UPDATE shipment SET status = ?3, ${date} = ?4, update_date = ?4 WHERE uuid = ?2 AND organization = ?1`,
      )
      .bind(organization, uuid, status, now),
    ...(isShort(shipment, status)
      ? [
          session
            .prepare(
              'INSERT INTO alert (uuid, organization, record_uuid, message, create_date) VALUES (?, ?, ?, ?, ?)',
            )
            .bind(crypto.randomUUID(), organization, uuid, `${missing} pallets are missing`, now),
        ]
      : []),
  ];
}

/**
 * A log record and an event for the shipment and each of its manifests, and an event for the gate. If pallets are
 * missing, also for the alert.
 */
export const entriesOfMove = (shipment: MovedShipment, status: string): LogEntries => {
  const moved = [shipment.uuid, ...shipment.members.map((member) => member.uuid)];
  const short = isShort(shipment, status) ? ['alert'] : [];
  return {
    entries: [...moved, ...short].map((entity) => ({ action: 'STATUS_CHANGED', entity, status })),
    events: [...moved, 'gate', ...short].map((entity) => ({
      eventType: 'STATUS_CHANGED',
      entity,
      data: PADDING,
    })),
  };
};
