import format from 'icu-minify/format';

/** The messages of this page's scripts, parsed, in the page's language. */
const messages = JSON.parse(document.body.dataset.words);
const language = document.getElementById('main').lang || document.documentElement.lang;

const formatters = {
  getNumberFormat: (...of) => new Intl.NumberFormat(...of),
  getPluralRules: (...of) => new Intl.PluralRules(...of),
  getDateTimeFormat: (...of) => new Intl.DateTimeFormat(...of),
};

/** The text of a message with its values. */
export const t = (key, values = {}) => String(format(messages[key], language, values, { formatters }));

/** Formats times by the site's clock. */
const clock = (more) => {
  const { format: formatTime } = new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: document.body.dataset.zone,
    ...more,
  });
  return formatTime;
};
/** A time with seconds. */
export const clockTime = clock({ second: '2-digit' });
/** A time without seconds. */
export const clockMinute = clock({});
