import { useWords } from '../../messages/context.ts';
import { PublicHeader, PublicPage } from './public-page.tsx';

/** The page with the button that stops the e-mails of an organization to one address. It does not show the address. */
export const StopPage = ({
  sender,
  isStopped,
  path,
}: {
  /** The name of the organization. */
  sender: string;
  isStopped: boolean;
  path: string;
}) => {
  const { t } = useWords();
  return (
    <PublicPage
      title={t(isStopped ? 'stop.done' : 'stop.title')}
      head={<link rel="stylesheet" href="/assets/pages/driver.css" />}
    >
      <PublicHeader name={sender} path={path} />
      <main>
        <h1 class="left">{t(isStopped ? 'stop.done' : 'stop.title')}</h1>
        {isStopped ? (
          <p role="status">{t('stop.doneWhy', { sender })}</p>
        ) : (
          <>
            <p>{t('stop.ask', { sender })}</p>
            <form method="post">
              <button type="submit" class="button">
                {t('stop.button')}
              </button>
            </form>
          </>
        )}
      </main>
    </PublicPage>
  );
};
