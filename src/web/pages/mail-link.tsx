import type { MailLinkKind } from '../../delivery/webhook/mail.ts';
import { useWords } from '../../messages/context.ts';
import { PublicHeader, PublicPage } from './public-page.tsx';

const TEXTS = {
  confirm: {
    title: 'confirm.title',
    ask: 'confirm.ask',
    button: 'confirm.button',
    done: 'confirm.done',
    doneWhy: 'confirm.doneWhy',
  },
  stop: {
    title: 'stop.title',
    ask: 'stop.ask',
    button: 'stop.button',
    done: 'stop.done',
    doneWhy: 'stop.doneWhy',
  },
} as const;

/**
 * The page with the button that confirms or stops the e-mails of an organization to one mailbox. It does not show the
 * address.
 */
export const MailLinkPage = ({
  sender,
  kind,
  isDone,
  path,
}: {
  /** The name of the organization. */
  sender: string;
  kind: MailLinkKind;
  /** Whether the e-mails are confirmed or stopped. */
  isDone: boolean;
  path: string;
}) => {
  const { t } = useWords();
  const texts = TEXTS[kind];
  const title = t(isDone ? texts.done : texts.title);
  return (
    <PublicPage title={title} isDriver>
      <PublicHeader name={sender} path={path} />
      <main>
        <h1 class="left">{title}</h1>
        {isDone ? (
          <p role="status">{t(texts.doneWhy, { sender })}</p>
        ) : (
          <>
            <p>{t(texts.ask, { sender })}</p>
            <form method="post">
              <button type="submit" class="button">
                {t(texts.button)}
              </button>
            </form>
          </>
        )}
      </main>
    </PublicPage>
  );
};
