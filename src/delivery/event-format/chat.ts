import type { presentAlert } from '../../dispatch/alert/store.ts';
import type { presentShipment } from '../../dispatch/load/shipment/store.ts';
import { en } from '../../messages/en/index.ts';

/** A message for people, before it is written in the format of a chat service. All its texts are plain. */
export interface ChatMessage {
  title: string;
  /** The page that the message leads to. */
  link: string;
  lines: readonly ChatLine[];
}

/** A paragraph of a message. */
export interface ChatLine {
  text: string;
  /** Further facts, such as the gate. */
  facts: readonly string[];
  /** The page that it is about. */
  link: string;
}

/** The maximum number of characters of a text from users. The rest is cut. */
export const TEXT_MAXIMUM = 300;
/** The same for a fact. So ten lines with three facts each stay below the limits of all chats. */
export const FACT_MAXIMUM = 80;

/** Joins characters without being visible. Between two characters it prevents that they are read as markup. */
export const JOINER = '\u2060';

/**
 * A text from users in one line and at most `maximum` characters, without control and formatting characters. These
 * could hide or reverse text.
 */
export function plainText(text: string, maximum = TEXT_MAXIMUM): string {
  const characters = [
    ...text
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/\p{Cf}/gu, '')
      .trim(),
  ];
  return characters.length <= maximum ? characters.join('') : `${characters.slice(0, maximum - 1).join('')}…`;
}

/** The facts of a line as one text. */
export const factsText = (facts: readonly string[]): string =>
  facts.map((fact) => plainText(fact, FACT_MAXIMUM)).join(' · ');

/**
 * Separate the characters that chat services turn into mentions and links. They do so even in plain text: `@channel`,
 * and `https://` of a bare address.
 */
export const withoutTriggers = (text: string): string =>
  text.replaceAll('@', `@${JOINER}`).replaceAll('://', `:${JOINER}//`);

/** The name of an alert type, as on pages. Events of later versions may have other types. */
const nameOf = (alertType: string): string => {
  const names: Readonly<Record<string, string>> = en;
  return names[`alertType.${alertType}`] ?? alertType;
};

/** The parts of an alert that its message needs. */
export type ShownAlert = Pick<
  ReturnType<typeof presentAlert>,
  'alertType' | 'severity' | 'message' | 'gate' | 'manifestExternalId' | 'shipmentExternalId' | 'deepLink'
>;

/** The title and the line of an alert. */
export function alertLine(alert: ShownAlert): ChatLine & { title: string } {
  return {
    title: `${alert.severity === 'CRITICAL' ? 'Critical' : 'Warning'}: ${nameOf(alert.alertType)}`,
    text: alert.message,
    facts: [
      alert.gate && `Gate ${alert.gate.name}`,
      alert.shipmentExternalId !== null && `Shipment ${alert.shipmentExternalId}`,
      alert.manifestExternalId !== null && `Manifest ${alert.manifestExternalId}`,
    ].filter((fact) => typeof fact === 'string'),
    link: alert.deepLink,
  };
}

/** The parts of a shipment that its message needs. */
export type ShownShipment = Pick<
  ReturnType<typeof presentShipment>,
  'externalIdentifier' | 'gate' | 'shortReason' | 'totalAssetsCount' | 'loadedAssetsCount' | 'deepLink'
>;

/** The title and the line of a completed shipment. */
export function shipmentLine(shipment: ShownShipment): ChatLine & { title: string } {
  const { totalAssetsCount: total, loadedAssetsCount: loaded, shortReason } = shipment;
  return {
    title: loaded < total ? 'Shipment completed, some missing' : 'Shipment completed',
    text: `Shipment ${shipment.externalIdentifier} is completed with ${loaded} of ${total} pallets.`,
    facts: [shipment.gate && `Gate ${shipment.gate.name}`, shortReason && `Reason: ${shortReason}`].filter(
      (fact) => typeof fact === 'string',
    ),
    link: shipment.deepLink,
  };
}

/** The message of one line. */
export const messageOf = ({ title, ...line }: ChatLine & { title: string }): ChatMessage => ({
  title,
  link: line.link,
  lines: [line],
});
