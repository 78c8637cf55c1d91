/** The path of the help for people who cannot sign in, and the part of it about organizations. */
export const RECOVER_PATH = '/app/recover';
export const FIND_PATH = `${RECOVER_PATH}#organization`;
